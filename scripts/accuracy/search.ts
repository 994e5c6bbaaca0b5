import { detectLanguage } from '../../engine/base/languages/languages.ts'
import { scanFile } from '../../engine/detect/file/file-scan.ts'
import type { RuleSet } from '../../engine/detect/file/rule-set.ts'
import type { CompiledRule } from '../../engine/detect/rules/active-rules.ts'

/** Something found in a text. */
export interface Found {
  rule: CompiledRule
  line: number
  end_line: number
}

const LIMITS = { rule_deadline_ms: 2000, file_deadline_ms: 10_000, max_parse_bytes: 4 << 20 }

/** What a whole rule set finds in a text of this path, as a scan would; `language` where the path tells none. */
export function search(
  rules: RuleSet,
  path: string,
  text: Uint8Array,
  language = detectLanguage(path) ?? 'text',
): Found[] {
  const scan = scanFile(rules, { path, language, in_test: false, bytes: text }, LIMITS)
  const active = new Map<CompiledRule, Found[]>()
  for (const { rule: index, line, end_line } of scan.matches) {
    const rule = rules.rules[index]!
    active.set(rule, [...(active.get(rule) ?? []), { rule, line, end_line }])
  }
  return [...active.values()].flat()
}
