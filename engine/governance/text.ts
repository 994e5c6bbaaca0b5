import type { View } from '../operation.ts'
import type { Agent, Approval, Grant, Session } from '../state/records.ts'

type Paint = Pick<View, 'paint'>

/** A session for a person: what it is for and where it stands, in two lines. */
export function sessionLines(session: Omit<Session, 'baseline' | 'bound_by'>, { paint }: Paint): string[] {
  const { id, status, agent, intent, authorized_paths, violations, expires_at, trust_level } = session
  const colour = status === 'violated' ? 'red' : status === 'active' ? 'green' : 'dim'
  const seen = violations.length > 0 ? `, ${violations.length} outside` : ''
  return [
    `${paint('bold', id)} ${paint(colour, status)} ${agent} (${trust_level}): ${intent}`,
    paint('dim', `  ${authorized_paths.join(' ') || 'no paths'}; ends ${time(expires_at)}${seen}`),
  ]
}

export function grantLine(grant: Grant, { paint }: Paint): string {
  const { id, status, scope, agent, expires_at, reason, approval_id } = grant
  const colour = status === 'active' ? 'green' : status === 'pending' ? 'yellow' : 'dim'
  const until = status === 'active' && expires_at ? ` until ${time(expires_at)}` : ''
  const waits = status === 'pending' && approval_id ? ` for ${approval_id}` : ''
  return `${paint('bold', id)} ${paint(colour, `${status}${until}${waits}`)} ${scope} for ${agent}${reason ? `: ${reason}` : ''}`
}

export function approvalLines(approval: Approval, { paint }: Paint): string[] {
  const { id, status, type, title, requester, expires_at, needed, votes } = approval
  const colour =
    status === 'approved' ? 'green' : status === 'pending' ? 'yellow' : status === 'rejected' ? 'red' : 'dim'
  const given = votes.filter(({ action }) => action === 'approved').length
  return [
    `${paint('bold', id)} ${paint(colour, status)} ${type}: ${title}`,
    paint(
      'dim',
      `  asked by ${requester}; until ${time(expires_at)}${needed > 1 ? `; ${given} of ${needed} approvals` : ''}`,
    ),
  ]
}

export function agentLine(
  agent: Omit<Agent, 'credential_hash'> & { status: string; frozen: boolean; trust_level: string },
  { paint }: Paint,
): string {
  const { name, status, scopes, trust_level, frozen, expires_at } = agent
  const state = frozen ? paint('blue', 'frozen') : paint(status === 'valid' ? 'green' : 'dim', status)
  return `${paint('bold', name)} ${state} ${trust_level}; ${scopes.join(', ') || 'no scopes'}${expires_at ? `; until ${time(expires_at)}` : ''}`
}

/** `2025-01-31 14:25:01` of an ISO time, in UTC as it is. */
export function time(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`
}

/** A session as it is sent: without what only the look at git needs. */
export function shown({ baseline: _, bound_by: __, ...session }: Session): Omit<Session, 'baseline' | 'bound_by'> {
  return session
}
