import type { Session } from '../sources/state/records.ts'
import { type Anomaly, measureAnomaly } from './anomalies.ts'
import { OPEN } from './chain.ts'
import type { GovernanceSession } from './governance-session.ts'
import { findChangedSince } from './recheck.ts'
import { recordRecheck } from './session-record.ts'
import { getSession } from './sessions.ts'
import { isEndForged } from './tampering.ts'

/** A session's verdict, with whose it is. */
export interface ScannedSession extends Anomaly {
  session_id: string
  agent: string
  intent: string
  status: Session['status']
  created_at: string
}

/** Sessions that are scored where none is named, newest first. */
const MOST = 200

/**
 * Scores sessions: the one named, else all that are open or have ended, newest first. Git is asked first what the open ones
 * changed, so that what an agent did without asking is counted.
 */
export async function scanAnomalies(
  governance: GovernanceSession,
  { session_id, agent }: { session_id?: string; agent?: string },
  signal: AbortSignal,
): Promise<ScannedSession[]> {
  const { state, root, acting, policy } = governance
  // Where the log's end is not ours nothing can be noted; what stands is scored, and the fault is told of.
  const open = isEndForged(governance) ? [] : state.read(reader => reader.find('sessions', OPEN))
  for (const session of open) {
    const changed = await findChangedSince(root, session, { signal })
    if (!changed.unknown) state.write(acting, tx => void recordRecheck(tx, governance, session.id, changed, 'heed'))
  }
  const sessions = state.read(reader =>
    session_id
      ? [getSession(reader, session_id)]
      : reader.find(
          'sessions',
          'agent = coalesce(?, agent) ORDER BY created_at DESC, rowid DESC LIMIT ?',
          agent ?? null,
          MOST,
        ),
  )
  return sessions.map(session => {
    const baseline = state.read(reader =>
      reader.find(
        'sessions',
        "agent = ? AND status = 'done' AND id != ? AND created_at <= ? ORDER BY created_at DESC, rowid DESC LIMIT ?",
        session.agent,
        session.id,
        session.created_at,
        policy.anomaly_detection.baseline_sessions,
      ),
    )
    const { id, agent, intent, status, created_at } = session
    return {
      session_id: id,
      agent,
      intent,
      status,
      created_at,
      ...measureAnomaly(session, baseline, policy.anomaly_detection),
    }
  })
}
