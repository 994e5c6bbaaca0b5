import { EngineError } from '../base/errors.ts'
import type { Session } from '../sources/state/records.ts'
import { isOpen } from './chain.ts'
import type { GovernedContext } from './context.ts'
import type { GovernanceSession } from './governance-session.ts'
import { findChangedSince } from './recheck.ts'
import { recordRecheck } from './session-record.ts'
import { completeSession, getOwnSession, getSession } from './sessions.ts'
import { listTamperingReasons } from './tampering.ts'
import { hideInternals } from './text.ts'

/** What came of completing a session. */
export interface Completed {
  session: Omit<Session, 'baseline' | 'bound_by'>
  completed: boolean
  decision: 'allowed' | 'warned' | 'refused' | 'pending'
  changed: string[]
  outside: string[]
  approval_id?: string
  unknown?: string
  /** What was done to the records, for which the session stays open: sentences with the way out. */
  tampered?: string[]
}

/**
 * Completes a session after git was asked what has changed since it began. Under `block` and `hitl` changes outside its
 * paths hold it open, and violated, until they are undone or a person has approved them. FORBIDDEN for another's
 * session, CONFLICT for one that has ended.
 */
export async function complete(
  governance: GovernanceSession,
  id: string,
  { signal, env }: Pick<GovernedContext, 'signal' | 'env'>,
): Promise<Completed> {
  const { state, acting, root } = governance
  const before = state.read(reader => getOwnSession(reader, governance, id))
  if (!isOpen(before)) throw new EngineError('CONFLICT', `${id} is ${before.status} already.`)
  const tampered = listTamperingReasons(governance, env)
  if (tampered.length > 0)
    return { session: hideInternals(before), completed: false, decision: 'refused', changed: [], outside: [], tampered }
  const changed = await findChangedSince(root, before, { signal })
  return state.write(acting, tx => {
    // Another process may have ended it while git was asked.
    const now = getSession(tx, id)
    if (!isOpen(now)) throw new EngineError('CONFLICT', `${id} is ${now.status} already.`)
    const { decision, outside, approval } = recordRecheck(tx, governance, id, changed, 'use')
    const completed = decision === 'allowed' || decision === 'warned'
    const session = completed ? completeSession(tx, id) : getSession(tx, id)
    return {
      session: hideInternals(session),
      completed,
      decision,
      changed: changed.paths,
      outside,
      ...(approval && { approval_id: approval.id }),
      ...(changed.unknown && { unknown: changed.unknown }),
    }
  })
}
