import type { SourceFile } from '../../../base/records/source-file.ts'
import { Positions } from '../../../base/text/positions.ts'
import { cut } from '../../../base/text/words.ts'
import { runBounded } from '../bounded.ts'
import type { Evaluation } from '../evaluate.ts'
import type { Content, Expression, Policy } from '../policy.ts'
import type { Report } from './report.ts'

/** Matches in one file that are listed for one expression. */
const MOST_IN_FILE = 20

/** What a file's text must contain, and must not. A file that cannot be read as text is not evaluated. */
export async function checkContent(
  { matches, must_contain, must_not_contain }: Content,
  { isExempt }: Policy,
  { facts, limits, signal }: Evaluation,
  report: Report,
): Promise<void> {
  const files = facts.files.filter(({ path }) => matches(path) && !isExempt(path))
  const work = (file: SourceFile) => {
    const read = facts.readText(file)
    if ('reason' in read) return report.skip('no_data', `the file was not read (${read.reason})`, file.path)
    const missing = must_contain.filter(({ expression }) => !hasMatch(expression, read.text))
    const places = new Positions(read.text)
    const found = must_not_contain.flatMap(each => findMatches(each, read.text))
    for (const { source } of missing) report.violate(file.path, 1, `Nothing matches ${cut(source, 100)}.`, source)
    for (const { source, offset, text } of found) {
      const { line } = places.at(offset)
      report.violate(file.path, line, `${cut(source, 100)} matches here.`, `${source}\0${text}`)
    }
  }
  const late = await runBounded(files, work, { limitMs: limits.rule_deadline_ms, signal })
  for (const { path } of late) report.skip('timed_out', 'a regular expression timed out', path)
}

function hasMatch(expression: RegExp, text: string): boolean {
  expression.lastIndex = 0
  return expression.test(text)
}

/** The first matches that are not empty. */
function findMatches(
  { source, expression }: Expression,
  text: string,
): { source: string; offset: number; text: string }[] {
  const out: { source: string; offset: number; text: string }[] = []
  for (const found of text.matchAll(expression)) {
    if (found[0] === '') continue
    out.push({ source, offset: found.index, text: found[0].slice(0, 200) })
    if (out.length === MOST_IN_FILE) break
  }
  return out
}
