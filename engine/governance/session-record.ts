import type { Decision } from '../audit/entry.ts'
import type { Violation } from '../state/records.ts'
import type { Transaction } from '../state/state.ts'
import type { JudgedFacts } from './facts.ts'

/** Entries of a session's lists; what goes past them is in the audit log. */
const MOST = 1000

/** Notes on a session what was touched, in which zones, and what was outside its paths. */
export function recordAccess(
  tx: Transaction,
  id: string,
  { touched, outside, zones }: Pick<JudgedFacts, 'touched' | 'outside' | 'zones'>,
  { action, decision, approved }: { action: string; decision: Decision; approved: boolean },
): void {
  if (touched.length === 0) return
  const session = tx.get('sessions', id)
  if (!session) return
  const violations = outside.map(
    (path): Violation => ({
      path,
      action,
      at: tx.at,
      decision: approved
        ? 'approved'
        : decision === 'refused'
          ? 'refused'
          : decision === 'pending'
            ? 'pending'
            : 'recorded',
    }),
  )
  const done = decision === 'allowed' || decision === 'warned'
  tx.update('sessions', id, {
    files_touched: merged(session.files_touched, done ? touched : []),
    zones_touched: merged(session.zones_touched, done ? zones.map(({ zone }) => zone) : []),
    violations: [...session.violations, ...violations].slice(-MOST),
    status: violations.length > 0 && !approved && session.status === 'active' ? 'violated' : session.status,
  })
}

/** Two lists as one without repetition, the earlier first. */
export function merged(list: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...list, ...more])].slice(0, MOST)
}
