import { Positions } from '../../base/text/positions.ts'
import { makeSecretFinder } from '../../detect/file/find-secrets.ts'
import { findEveryOccurrence } from '../../detect/lexer/mask.ts'
import { loadBuiltinRules } from '../../sources/packs/load.ts'

let findSecrets: ReturnType<typeof makeSecretFinder> | undefined

/** A text without its secrets, and how many were masked. */
export interface Masked {
  text: string
  secrets: number
}

/**
 * Masks every secret that svc's detectors find, in full, line ends apart, and each further place where its value stands. Undefined where a
 * detector could not finish: such a text is not sent.
 */
export function maskSecrets(path: string, text: string): Masked | undefined {
  findSecrets ??= makeSecretFinder(loadBuiltinRules())
  const { matches, failures } = findSecrets(path, text)
  if (failures.length > 0) return undefined
  const positions = new Positions(text)
  const spans = matches.map(({ line, column, end_line, end_column }) => ({
    start: positions.offset(line, column),
    end: positions.offset(end_line, end_column),
  }))
  let out = ''
  let from = 0
  for (const { start, end } of findEveryOccurrence(spans, text).sort((a, b) => a.start - b.start)) {
    if (end <= from) continue
    const at = Math.max(start, from)
    out += text.slice(from, at) + text.slice(at, end).replace(/[^\r\n]/g, '*')
    from = end
  }
  return { text: out + text.slice(from), secrets: spans.length }
}
