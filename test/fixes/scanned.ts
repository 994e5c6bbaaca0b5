import type { Finding } from '../../engine/base/records/finding.ts'
import { scanFile } from '../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../engine/detect/file/rule-set.ts'
import type { CompiledRule } from '../../engine/detect/rules/active-rules.ts'
import { registerGrammars } from '../../engine/detect/syntax/grammar.ts'
import { type Fixable, selectFixable } from '../../engine/fixes/plan.ts'
import { toFinding } from '../../engine/scan/merge.ts'
import { parseRule } from '../../engine/sources/packs/parse.ts'

/** A regex rule `test-<name>` that replaces what it finds. */
export function replacingRule(name: string, regex: string, fix: string, severity = 'low'): Promise<CompiledRule> {
  const rule = {
    id: `test-${name}`,
    type: 'regex',
    title: `Finds ${regex}`,
    message: 'It is there.',
    severity,
    languages: ['any'],
    regex,
    fix,
    remediation: 'Replace it.',
    match: ['not looked at'],
    clean: ['not looked at'],
  }
  return parseRule(Buffer.from(JSON.stringify(rule)), 'rule.yaml', 'test')
}

/** What the rules find in a file's bytes, as a scan would store it. */
export function scanned(rules: readonly CompiledRule[], path: string, language: string, bytes: Uint8Array): Finding[] {
  registerGrammars()
  const file = { path, language, in_test: false, bytes }
  const scan = scanFile(new RuleSet(rules), file, {
    rule_deadline_ms: 60_000,
    file_deadline_ms: 60_000,
    max_parse_bytes: 1 << 22,
  })
  const { matches, failures, skip } = scan
  if (failures.length > 0 || skip) throw new Error(JSON.stringify({ failures, skip }))
  return matches.map(match => toFinding(rules[match.rule]!, match, file, new Map()))
}

/** The findings among them that carry a fix. */
export function fixes(rules: readonly CompiledRule[], path: string, bytes: Uint8Array, language = 'text'): Fixable[] {
  return selectFixable(scanned(rules, path, language, bytes))
}
