import { isExpired } from './suppression.ts'
import type { SuppressionEntry } from './suppression-file.ts'

/** A file suppression as it is shown. */
export interface SuppressionView extends SuppressionEntry {
  /** Whether it holds on the day of the question. */
  state: 'active' | 'expired'
}

/** An entry and whether it holds today. */
export function toSuppressionView(entry: SuppressionEntry, today: string): SuppressionView {
  return { ...entry, state: isExpired(entry, today) ? 'expired' : 'active' }
}

/** The day in UTC, `days` from now. */
export function addDays(now: Date, days = 0): string {
  return new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
}

/** One line for a person: what, where, until when, why. */
export function formatSuppression({ rule, file, reason, expires, approved_by, state }: SuppressionView): string {
  const until = expires === undefined ? '' : state === 'expired' ? `, expired ${expires}` : `, until ${expires}`
  const by = approved_by === undefined ? '' : `, approved by ${approved_by}`
  return `${rule} in ${file ?? 'every file'}${until}${by}: ${reason}`
}
