import type { Approval, ApprovalStatus } from '../sources/state/records.ts'
import { getApproval } from './approvals.ts'
import { expireDue } from './expiry.ts'
import type { GovernanceSession } from './governance-session.ts'
import { waitFor } from './wait.ts'

/** The approval once it is resolved, or as it stands when the time is over. */
export async function awaitAnswer(
  { state, root }: Pick<GovernanceSession, 'state' | 'root'>,
  id: string,
  seconds: number | undefined,
  signal: AbortSignal,
): Promise<Approval> {
  const now = () => state.read(reader => getApproval(reader, id))
  const look = () => {
    expireDue(state)
    const approval = now()
    return approval.status === 'pending' ? undefined : approval
  }
  return (
    (await waitFor(root, look, { milliseconds: seconds === undefined ? undefined : seconds * 1000, signal })) ?? now()
  )
}

/** What a user reads while a command waits for an approval: which one, and how it is resolved. */
export function describeWaiting(id: string): string {
  return `Waiting for the approval ${id}: answer it with \`svc approve ${id}\` at another terminal, or in the dashboard.`
}

/** Exit code of a wait: 0 approved, 1 rejected, 2 timed out or expired (decisions "Governance"). */
export function toExitCode(status: ApprovalStatus): number {
  if (status === 'approved' || status === 'consumed') return 0
  return status === 'rejected' ? 1 : 2
}
