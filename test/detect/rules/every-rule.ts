import { detectLanguage, isTestPath } from '../../../engine/base/languages/languages.ts'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { loadBuiltinPacks } from '../../../engine/sources/packs/load.ts'

registerGrammars()
const LIMITS = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 << 22 }
const rules = new RuleSet(
  loadBuiltinPacks()
    .filter(({ languages }) => languages.length > 0)
    .flatMap(pack => pack.rules)
    // What is for a reviewer to decide is no finding.
    .filter(({ review }) => !review),
)

/** What all rules find in a file, and of what they say that it was not evaluated. */
export function scan(path: string, code: string) {
  const file = { path, language: detectLanguage(path) ?? 'text', in_test: isTestPath(path), bytes: Buffer.from(code) }
  const own = scanFile(rules, file, LIMITS)
  const { matches, failures, ignores } = own
  const idOf = ({ rule }: { rule: number }) => rules.rules[rule]!.id
  return {
    found: matches.map(match => ({ ...match, id: idOf(match) })),
    ids: matches.map(idOf),
    failures: failures.map(({ reason, detail }) => ({ reason, detail })),
    ignores,
  }
}

/** The line of a text in which another first stands. */
export const lineOf = (code: string, text: string) => code.slice(0, code.indexOf(text)).split('\n').length
