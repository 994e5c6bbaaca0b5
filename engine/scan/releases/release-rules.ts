import type { CompiledRule } from '../../detect/rules/active-rules.ts'

/** Whether a rule reports what is used or freed after a release. */
export function isOfReleases(rule: CompiledRule): boolean {
  return rule.type === 'memory' && rule.defects.some(defect => defect === 'use-after-free' || defect === 'double-free')
}
