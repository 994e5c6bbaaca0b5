import { detectLanguage } from '../../base/languages/languages.ts'
import type { CompiledRule } from '../rules/active-rules.ts'
import type { FileOutcome } from '../rules/file-outcome.ts'
import type { Match } from '../rules/match.ts'
import { scanFile } from './file-scan.ts'
import { RuleSet } from './rule-set.ts'

const LIMITS = { rule_deadline_ms: 5000, file_deadline_ms: 30_000, max_parse_bytes: 4 << 20 }

/** What the detectors among these rules find in a text, in tests and under any name alike; and which of them could not finish. */
export function makeSecretFinder(
  rules: readonly CompiledRule[],
): (path: string, text: string) => { matches: (Match & { rule_id: string })[]; failures: FileOutcome['failures'] } {
  const set = new RuleSet(rules.filter(({ type }) => type === 'secret'))
  return (path, text) => {
    const file = { path, language: detectLanguage(path) ?? 'text', in_test: false, bytes: Buffer.from(text) }
    const { matches, failures } = scanFile(set, file, LIMITS)
    return { matches: matches.map(match => ({ ...match, rule_id: set.rules[match.rule]!.id })), failures }
  }
}
