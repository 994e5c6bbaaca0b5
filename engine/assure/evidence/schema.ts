import { type } from 'arktype'
import type { Style, View } from '../../base/text/view.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { type CheckedEvidence, EVIDENCE_STATES, type EvidenceState } from './check.ts'

/** An entry of the evidence file as operations answer it. */
export const CheckedEvidenceType = type({
  control: 'string',
  title: 'string',
  'file?': 'string',
  'url?': 'string',
  'sha256?': 'string',
  owner: 'string',
  observed_at: 'string',
  'expires?': 'string',
  'note?': 'string',
  line: 'number.integer',
  state: type.enumerated(...EVIDENCE_STATES),
  reason: 'string',
  'framework?': 'string',
  'control_id?': 'string',
  'obligation?': 'string',
})

const STYLE: Record<EvidenceState, Style> = {
  valid: 'green',
  expired: 'yellow',
  changed: 'red',
  missing: 'red',
  no_digest: 'yellow',
  not_yet: 'yellow',
  unknown_control: 'red',
  not_checked: 'yellow',
}

/** One line for an entry, and one more for why it does not count. */
export function formatEvidence(entry: CheckedEvidence, { paint, verbose }: View): string {
  const { control, title, file, url, owner, observed_at, expires, state, reason } = entry
  const period = `${observed_at} to ${expires ?? 'no date'}`
  const head = `${paint(STYLE[state], state.replaceAll('_', ' '))}  ${escapeInvisibleLine(`${control}  ${title} (${file ?? url}), ${owner}, ${period}`)}`
  return state === 'valid' && !verbose ? head : `${head}\n    ${reason}`
}
