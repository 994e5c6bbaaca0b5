import { createHash } from 'node:crypto'
import type { Severity } from '../../base/records/finding.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'

/** What is remembered of a rule: enough to say later what about it has changed. */
export interface RuleTrace {
  title: string
  severity: Severity
  /** Digest of what it finds and where. */
  detection: string
  /** Digest of what it says. */
  wording: string
}

/** Keys that say something to people and change nothing of what is found. */
export const WORDING: ReadonlySet<string> = new Set([
  'title',
  'message',
  'remediation',
  'corrected_code',
  'references',
  'tags',
  'cwe',
  'category',
])
/** Keys that have a field of their own, or that loading adds. */
const APART = new Set([
  'id',
  'pack_id',
  'severity',
  'match',
  'clean',
  'requirement',
  'canary',
  'digest',
  'digests',
  'number',
  'written',
  'vicinity',
])

/** What the rule is now; of svc's own rules the digests were made with the program. */
export function makeTrace(rule: CompiledRule): RuleTrace {
  const { detection, wording } = rule.digests ?? computeDigests(rule)
  return { title: rule.title, severity: rule.severity, detection, wording }
}

/** The digests of a rule as it stands in its pack. */
export function computeDigests(rule: CompiledRule): NonNullable<CompiledRule['digests']> {
  const entries = Object.entries(rule).filter(([key]) => !APART.has(key))
  const digest = (wanted: boolean) => {
    const part = entries.filter(([key]) => WORDING.has(key) === wanted).sort(([a], [b]) => (a < b ? -1 : 1))
    return createHash('sha256').update(JSON.stringify(part)).digest('hex').slice(0, 16)
  }
  return { detection: digest(false), wording: digest(true) }
}
