import type { Acting } from '../sources/state/entry.ts'
import type { State } from '../sources/state/state.ts'
import { OPEN } from './chain.ts'

/** What time alone does is nobody's act. */
const CLOCK: Acting = {
  surface: 'cli',
  actor: { agent: 'svc', method: 'none', session_id: null, trust_level: 'none' },
  policy_digest: '',
}

const DUE = {
  sessions: OPEN,
  delegations: "status = 'active'",
  grants: "status = 'active'",
  approvals: "status IN ('pending', 'approved')",
} as const

/**
 * Ends what has come to its time: sessions, delegations, grants and approvals that nobody resolved or used. A grant whose
 * approval has expired is denied. Costs four looks at an index where nothing is due.
 */
export function expireDue(state: State): void {
  const tables = Object.keys(DUE) as (keyof typeof DUE)[]
  const isDue = state.read((reader, at) =>
    tables.some(
      table => reader.rows(`SELECT 1 FROM ${table} WHERE ${DUE[table]} AND expires_at <= ? LIMIT 1`, at).length > 0,
    ),
  )
  if (!isDue) return
  state.write(CLOCK, tx => {
    for (const table of tables) {
      for (const record of tx.find(table, `${DUE[table]} AND expires_at <= ?`, tx.at)) {
        const ended = table === 'approvals' ? { resolved_at: tx.at } : { ended_at: tx.at }
        tx.update(table, record.id, { status: 'expired', ...ended } as never)
        tx.audit({ action: `${ENTRY[table]}.expire`, target: record.id, decision: 'allowed' })
        if (table !== 'approvals') continue
        for (const grant of tx.find('grants', "approval_id = ? AND status = 'pending'", record.id)) {
          tx.update('grants', grant.id, { status: 'denied', ended_at: tx.at })
          tx.audit({ action: 'grant.deny', target: grant.id, decision: 'refused', details: { approval_id: record.id } })
        }
      }
    }
  })
}

const ENTRY = { sessions: 'task', delegations: 'delegation', grants: 'grant', approvals: 'approval' } as const
