import type { TextEdit } from 'vscode-languageserver/node'
import { detectLanguageOfText, LANGUAGES } from '../../engine/base/languages/languages.ts'
import type { Finding } from '../../engine/base/records/finding.ts'
import { toRange } from './diagnostics.ts'
import type { OpenDocument } from './documents.ts'
import { FindingPlaces, type OpenText } from './open-text.ts'

/** The certain fix of a finding as edits of the editor's text. */
export function makeFixEdits(finding: Finding, open: OpenText): TextEdit[] {
  const places = new FindingPlaces(open.text)
  return (finding.fix?.edits ?? []).map(({ start_line: line, start_column: column, text, ...end }) => ({
    range: toRange({ line, column, ...end }, places, open),
    newText: text,
  }))
}

/** Certain fixes that do not overlap, the first of those that do. */
export function makeAllFixEdits(findings: readonly Finding[], open: OpenText): TextEdit[] {
  const places = new FindingPlaces(open.text)
  const taken: [number, number][] = []
  const edits: TextEdit[] = []
  for (const { fix } of findings) {
    const own = fix?.edits.map(edit => {
      const start = places.offset(edit.start_line, edit.start_column)
      const end = places.offset(edit.end_line, edit.end_column)
      return { start, end, text: edit.text }
    })
    if (!own || own.some(({ start, end }) => taken.some(([from, to]) => start <= to && from <= end))) continue
    for (const { start, end, text } of own) {
      taken.push([start, end])
      edits.push({ range: open.rangeOf(start, end), newText: text })
    }
  }
  return edits
}

/**
 * The edit that suppresses a finding by a comment: on a line of its own above, or else behind the code. Each is tried on the text and
 * checked; undefined where the language has no comments, or no comment there has the effect.
 */
export async function makeSuppression(
  { text: open, place }: OpenDocument,
  { rule_id, line, column, fingerprint }: Finding,
  reason: string,
  signal: AbortSignal,
): Promise<TextEdit | undefined> {
  const { text } = open
  const language = detectLanguageOfText(place.path, text.split('\n', 1)[0]!)
  const form = language === null ? undefined : findCommentForm(language)
  if (!form) return undefined
  const comment = `${form.open} svc-ignore: ${rule_id} -- ${reason}${form.close}`
  const places = new FindingPlaces(text)
  const start = places.offset(line, 1)
  const rest = text.indexOf('\n', start)
  let end = rest === -1 ? text.length : rest
  const ending = text[end - 1] === '\r' ? '\r\n' : '\n'
  if (ending === '\r\n') end--
  const indent = /^[ \t]*/.exec(text.slice(start, end))![0]
  const candidates = [
    { at: start, insert: `${indent}${comment}${ending}`, moved: 1 },
    { at: end, insert: ` ${comment}`, moved: 0 },
  ]
  for (const { at, insert, moved } of candidates) {
    const changed = text.slice(0, at) + insert + text.slice(at)
    const { findings } = await place.checker.check(place.path, changed, signal)
    const same = findings.find(
      found =>
        found.rule_id === rule_id &&
        (found.fingerprint === fingerprint || found.column === column) &&
        found.line === line + moved,
    )
    if (same?.status === 'suppressed') return { range: open.rangeOf(at, at), newText: insert }
  }
  return undefined
}

/** How a comment is written in a language; undefined where it has none that fits anywhere. */
function findCommentForm(language: string): { open: string; close: string } | undefined {
  const lexis = LANGUAGES.get(language)?.lexis
  const line = lexis?.line?.find(form => !form.word && form.column === undefined)
  if (line) return { open: line.open, close: '' }
  const block = lexis?.block?.find(form => form.column === undefined)
  return block && { open: block.open, close: ` ${block.close}` }
}
