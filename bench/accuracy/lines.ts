// Compares lines of code, comment and blank ones with cloc, language by language, over the files that both read.
// Usage: npx tsx bench/accuracy/lines.ts DIRECTORY CLOC.json [LANGUAGE], where CLOC.json is what
// `cloc --vcs=git --by-file --json --out=CLOC.json .` has written in DIRECTORY; of a LANGUAGE the files that differ most are listed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { detectLanguage, detectLanguageOfContent } from '../../engine/base/languages/languages.ts'
import { STRING } from '../../engine/detect/lexer/reading.ts'
import { readSpans } from '../../engine/detect/lines/count.ts'

interface Counts {
  code: number
  comment: number
  blank: number
}

const [directory, report, wanted] = process.argv.slice(2)
if (!directory || !report) {
  console.error('Usage: npx tsx bench/accuracy/lines.ts DIRECTORY CLOC.json [LANGUAGE]')
  process.exit(64)
}

/**
 * Lines as cloc reads them: a line of white space is blank wherever it stands, in comments and strings too; a string of Python with three quotes
 * is a comment, a value too.
 */
function countAsCloc(language: string, text: string): Counts {
  const { starts, ends, kinds } = readSpans(language, text)
  const counts = { code: 0, comment: 0, blank: 0 }
  let span = 0
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    let isCode = false
    let isBlank = true
    for (let at = start; at < end; at++) {
      if (text.charCodeAt(at) <= 32) continue
      isBlank = false
      while (span < starts.length && ends[span]! <= at) span++
      const inside = span < starts.length && starts[span]! <= at
      if (!inside || (kinds[span] === STRING && !isDocstring(language, text, starts[span]!))) {
        isCode = true
        break
      }
      at = Math.min(end, ends[span]!) - 1
    }
    if (isBlank) counts.blank++
    else if (isCode) counts.code++
    else counts.comment++
    start = end + 1
  }
  return counts
}

function isDocstring(language: string, text: string, start: number): boolean {
  return language === 'python' && /^(?:"""|''')/.test(text.slice(start, start + 3))
}

const files = JSON.parse(readFileSync(report, 'utf8')) as Record<string, Counts & { language: string }>
const totals = new Map<string, { files: number; own: Counts; theirs: Counts }>()
const differing: [off: number, line: string][] = []
for (const [path, theirs] of Object.entries(files)) {
  if (path === 'header' || path === 'SUM' || (wanted !== undefined && theirs.language !== wanted)) continue
  const bytes = readFileSync(join(directory, path))
  const language = detectLanguage(path) ?? detectLanguageOfContent(path, bytes) ?? 'text'
  const own = countAsCloc(language, bytes.toString('latin1'))
  const name = `${theirs.language} (${language})`
  const total = totals.get(name) ?? {
    files: 0,
    own: { code: 0, comment: 0, blank: 0 },
    theirs: { code: 0, comment: 0, blank: 0 },
  }
  totals.set(name, total)
  total.files++
  let off = 0
  for (const key of ['code', 'comment', 'blank'] as const) {
    total.own[key] += own[key]
    total.theirs[key] += theirs[key]
    off += Math.abs(own[key] - theirs[key])
  }
  if (off > 0 && wanted !== undefined)
    differing.push([off, `${path}: ${JSON.stringify(own)}, cloc ${theirs.code}/${theirs.comment}/${theirs.blank}`])
}
const percent = (own: number, theirs: number) =>
  theirs === 0 ? (own === 0 ? '0' : `+${own}`) : `${(((own - theirs) / theirs) * 100).toFixed(2)} %`
for (const [name, { files: count, own, theirs }] of [...totals].sort((a, b) => b[1].theirs.code - a[1].theirs.code)) {
  if (theirs.code < 1000) continue
  const parts = (['code', 'comment', 'blank'] as const).map(
    key => `${key} ${own[key]} (${percent(own[key], theirs[key])})`,
  )
  console.log(`${name}: ${count} files, ${parts.join(', ')}`)
}
for (const [, line] of differing.sort((a, b) => b[0] - a[0]).slice(0, 15)) console.log(line)
