import { consumeApproval, requestApproval, resolveApproval } from '../../../engine/governance/approvals.ts'
import { openGovernanceFor } from '../../../engine/governance/governance-session.ts'
import { makeDefaultPolicy } from '../../../engine/governance/policy.ts'
import { bindSession, completeSession } from '../../../engine/governance/sessions.ts'
import type { Acting } from '../../../engine/sources/state/entry.ts'
import { openState } from '../../../engine/sources/state/open.ts'

// A process that works on records as fast as it can: binds, asks, approves, uses, completes and counts, each in one
// transaction. It runs for so many milliseconds, or until it is killed. Arguments: root, user's state folder, milliseconds.
const [root, home, milliseconds] = process.argv.slice(2) as [string, string, string]
const done = { bound: 0, completed: 0, counted: 0, consumed: 0, failures: [] as string[] }

async function work(): Promise<void> {
  const me = `worker-${process.pid}`
  const state = await openState(root, { env: { XDG_STATE_HOME: home } })
  const policy = makeDefaultPolicy()
  const identity = { agent: me, method: 'environment', person: false, credential: 'none' } as const
  const person = { agent: 'user:eve', method: 'terminal', person: true, credential: 'none' } as const
  const acting: Acting = openGovernanceFor(state, policy, person, 'cli').acting
  process.send?.('ready')
  const end = Date.now() + Number(milliseconds)
  while (Date.now() < end) {
    try {
      const governance = openGovernanceFor(state, policy, identity, 'cli')
      const session = state.write(governance.acting, tx =>
        bindSession(tx, governance, { intent: 'x', paths: ['src/**'] }, { git_sha: null, branch: null, baseline: {} }),
      )
      done.bound++
      // A read that is written back is what gets lost where two processes can do it at once.
      state.write(acting, tx => {
        const [row] = tx.rows("SELECT value FROM meta WHERE key = 'count'")
        const value = String(Number(row?.value ?? 0) + 1)
        tx.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('count', ?)", value)
        tx.audit({ action: 'test.count', target: value, decision: 'allowed' })
      })
      done.counted++
      const ask = {
        type: 'rollback',
        title: '',
        context: '',
        subject_digest: session.id,
        requester: me,
        session_id: session.id,
      } as const
      const approval = state.write(governance.acting, tx => requestApproval(tx, ask))
      state.write(acting, tx => resolveApproval(tx, approval.id, { by: 'user:eve', action: 'approved', comment: '' }))
      const used = state.write(governance.acting, tx => {
        const found = consumeApproval(tx, session.id, me)
        completeSession(tx, session.id)
        return found
      })
      if (used) done.consumed++
      done.completed++
    } catch (error) {
      done.failures.push(String(error))
    }
  }
  state.close()
}

await work()
process.stdout.write(JSON.stringify(done))
