import { detectLanguage } from '../../base/languages/languages.ts'
import { Positions } from '../../base/text/positions.ts'
import { scanFile } from '../../detect/file/file-scan.ts'
import { RuleSet } from '../../detect/file/rule-set.ts'
import { findEveryOccurrence } from '../../detect/lexer/mask.ts'
import { loadBuiltinRules } from '../../sources/packs/load.ts'

const LIMITS = { rule_deadline_ms: 5000, file_deadline_ms: 30_000, max_parse_bytes: 4 << 20 }

let rules: RuleSet | undefined

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
  rules ??= new RuleSet(loadBuiltinRules().filter(({ type }) => type === 'secret'))
  // In tests too, and under any name: what is masked in one file is masked in all.
  const file = { path, language: detectLanguage(path) ?? 'text', in_test: false, bytes: Buffer.from(text) }
  const { matches, failures } = scanFile(rules, file, LIMITS)
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
