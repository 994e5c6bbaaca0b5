import type { Finding } from '../base/records/finding.ts'

/** Least confidence at which a remedy is worth a person's time without further reading: that of a match in a test. */
const SURE_ENOUGH = 0.7

/** What a list of actionable findings leaves out, each finding counted once, under the first that holds. */
export interface HeldBack {
  suppressed: number
  baseline: number
  /** Neither a fix nor a remedy is known. */
  without_remedy: number
  /** It may well be no fault: the confidence is below 0.7, and no rule offers a certain fix. */
  unsure: number
}

/** Whether one can act on a finding now: it is open, and has a certain fix, or a remedy and a confidence of at least 0.7. */
export function isActionable({ status, fix, remediation, confidence }: Finding): boolean {
  if (status !== 'open') return false
  return fix !== undefined || (remediation.trim() !== '' && confidence >= SURE_ENOUGH)
}

/** The findings that one can act on, in their order, and how many the others are. */
export function selectActionable(findings: readonly Finding[]): { findings: Finding[]; held_back: HeldBack } {
  const held_back: HeldBack = { suppressed: 0, baseline: 0, without_remedy: 0, unsure: 0 }
  const kept = findings.filter(finding => {
    if (isActionable(finding)) return true
    if (finding.status !== 'open') held_back[finding.status]++
    else if (finding.remediation.trim() === '') held_back.without_remedy++
    else held_back.unsure++
    return false
  })
  return { findings: kept, held_back }
}

/** What is left out, in words; empty where nothing is. */
export function formatHeldBack({ suppressed, baseline, without_remedy, unsure }: HeldBack): string {
  const parts = [
    suppressed > 0 && `${suppressed} suppressed`,
    baseline > 0 && `${baseline} in the baseline`,
    without_remedy > 0 && `${without_remedy} without a known fix`,
    unsure > 0 && `${unsure} with a confidence below ${SURE_ENOUGH}`,
  ].filter(Boolean)
  return parts.length === 0 ? '' : `Not listed: ${parts.join(', ')}.`
}
