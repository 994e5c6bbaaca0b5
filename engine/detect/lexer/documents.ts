import { matchSticky } from './raw.ts'
import { COMMENT, STRING } from './reading.ts'
import { getBody, type Opener, type Scanner } from './scanner.ts'

/** PHP begins behind the first `<?`; a text without one is a piece of PHP. Markup outside counts as code. */
export function scanToPhp(scanner: Scanner): number {
  return scanner.text.includes('<?') ? nextPhp(scanner, 0) : 0
}

/** `?>` leaves PHP up to the next `<?`. */
export const scanPhpTags: Opener = (scanner, at) => (scanner.text[at + 1] === '>' ? nextPhp(scanner, at + 2) : -1)

function nextPhp(scanner: Scanner, from: number): number {
  let at = scanner.text.indexOf('<?', from)
  while (at >= 0 && scanner.text.startsWith('<?xml', at)) at = scanner.text.indexOf('<?', at + 2)
  if (at < 0 || at + 2 > scanner.end) at = scanner.end
  if (at > from) scanner.outside.push({ language: 'html', start: from, end: at })
  return Math.min(at + 2, scanner.end)
}

/** HTML and its relatives: what stands in `<script>` is read as JavaScript, what stands in `<style>` as CSS. */
export const scanScripts: Opener = (scanner, at) => {
  const { text } = scanner
  const opening = matchSticky(/<(script|style)(?=[\s>])/iy, text, at)
  if (!opening) return -1
  const tagEnd = text.indexOf('>', at)
  if (tagEnd < 0 || tagEnd >= scanner.end) return scanner.end
  const attributes = text.slice(at, tagEnd)
  const isStyle = opening[1]!.toLowerCase() === 'style'
  // A script of another type is a template, in which only the page's own comments count.
  if (!isStyle && /\btype=["']?text\/(?!java|ecma|babel)/i.test(attributes)) return tagEnd + 1
  const closing = isStyle ? /<\/style/gi : /<\/script/gi
  closing.lastIndex = tagEnd
  const end = Math.min(closing.exec(text)?.index ?? scanner.end, scanner.end)
  const language = isStyle ? (/lang=["']?(scss|sass|less)/i.exec(attributes)?.[1] ?? 'css') : 'javascript'
  scanner.embed(language, tagEnd + 1, end)
  return end
}

const YAML_DOUBLE = getBody({ open: '"', escape: '\\', multiline: true })
const YAML_SINGLE = getBody({ open: "'", doubled: true, multiline: true })

/** YAML: a quote begins a string only where a value may begin: an apostrophe inside plain text is one. */
export const scanYamlQuote: Opener = (scanner, at) => {
  const { text } = scanner
  let i = at - 1
  while (i >= 0 && (text.charCodeAt(i) === 32 || text.charCodeAt(i) === 9)) i--
  const previous = i < 0 ? '\n' : text[i]!
  if (!'\n[{,('.includes(previous)) {
    if (i === at - 1) return -1
    if (!':-?'.includes(previous) && !/(?:^|\s)[!&][^\s]{0,60}$/.test(text.slice(Math.max(0, i - 62), i + 1))) return -1
  }
  return scanner.body(text.charCodeAt(at) === 34 ? YAML_DOUBLE : YAML_SINGLE, at + 1, at)
}

/** YAML: a block scalar, whole, as the string that it is. */
export const scanYamlScalar: Opener = (scanner, at) => {
  const comments = scanner.starts.length
  const end = scanYamlBlock(scanner, at)
  if (end < 0) return -1
  const body = scanner.lineEnd(at) + 1
  // What begins with `#` inside it is content; a comment behind the header is one.
  while (scanner.starts.length > comments && scanner.starts.at(-1)! >= body) scanner.pop()
  scanner.push(body, end, STRING)
  return end
}

/**
 * YAML: a block scalar (`|`, `>`) is read over as code, since it mostly holds a script or a text with quotes of its own;
 * only its lines that begin with `#` count as comments.
 */
export const scanYamlBlock: Opener = (scanner, at) => {
  const { text } = scanner
  const header = matchSticky(/[|>](?:[+-]?[1-9]?|[1-9][+-])[ \t]*(#[^\n]*?)?\r?\n/y, text, at)
  if (!header) return -1
  const lineStart = text.lastIndexOf('\n', at) + 1
  // The cheap look comes first: what stands before a sign within a word would be tried in every way.
  if (!/(?:^|[:?\s-])[ \t]+$|^$/.test(text.slice(Math.max(lineStart, at - 3), at))) return -1
  const before = matchSticky(/([ ]*(?:[-?] +)*)(?:[^\n]*[:\s])?(?=[|>])/y, text.slice(lineStart, at + 1), 0)
  if (!before) return -1
  const lead = before[1]!
  // Behind `- ` alone the dash is the parent; behind `- key: ` the key is.
  const keyed = lineStart + lead.length < at
  const parent = keyed ? lead.length : Math.max(lead.lastIndexOf('-'), lead.lastIndexOf('?'))
  if (header[1] !== undefined) scanner.push(text.indexOf('#', at), scanner.lineEnd(at), COMMENT)
  let line = at + header[0].length
  while (line < scanner.end) {
    const end = scanner.lineEnd(line)
    let i = line
    while (i < end && text[i] === ' ') i++
    if (i < end && text[i] !== '\r') {
      if (i - line <= parent) break
      if (text[i] === '#') scanner.push(i, end, COMMENT)
    }
    line = end + 1
  }
  return Math.min(line, scanner.end)
}
