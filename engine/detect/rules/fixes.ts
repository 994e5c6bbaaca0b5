import type { Rule } from '../../base/records/rule.ts'

/** What a rule writes in the place of what it finds, each once; empty where it mends nothing. */
export function listFixes(rule: Rule): string[] {
  if (rule.type === 'resource') return [...new Set(rule.resources.flatMap(({ fix }) => fix ?? []))]
  return 'fix' in rule && rule.fix !== undefined ? [rule.fix] : []
}
