import type { View } from '../base/text/view.ts'
import { escapeInvisibleLine } from '../base/text/visible.ts'
import type { Agent, Approval, Grant, Session, Subject } from '../sources/state/records.ts'

type Paint = Pick<View, 'paint'>

/** A session for a person: what it is for and where it stands, in two lines. */
export function formatSession(session: Omit<Session, 'baseline' | 'bound_by'>, { paint }: Paint): string[] {
  const { id, status, agent, intent, authorized_paths, violations, expires_at, trust_level } = session
  const colour = status === 'violated' ? 'red' : status === 'active' ? 'green' : 'dim'
  const seen = violations.length > 0 ? `, ${violations.length} outside` : ''
  return [
    `${paint('bold', id)} ${paint(colour, status)} ${agent} (${trust_level}): ${intent}`,
    paint('dim', `  ${authorized_paths.join(' ') || 'no paths'}; ends ${formatTime(expires_at)}${seen}`),
  ]
}

export function grantLine(grant: Grant, { paint }: Paint): string {
  const { id, status, scope, agent, expires_at, reason, approval_id } = grant
  const colour = status === 'active' ? 'green' : status === 'pending' ? 'yellow' : 'dim'
  const until = status === 'active' && expires_at ? ` until ${formatTime(expires_at)}` : ''
  const waits = status === 'pending' && approval_id ? ` for ${approval_id}` : ''
  return `${paint('bold', id)} ${paint(colour, `${status}${until}${waits}`)} ${scope} for ${agent}${reason ? `: ${reason}` : ''}`
}

/** Lines of a diff that are shown; all of it is in --json. */
const DIFF_LINES = 200

/** A request for a person: what exactly would be done, as a diff where it names content. */
export function formatApproval(approval: Approval, { paint }: Paint): string[] {
  const { id, status, type, title, requester, expires_at, needed, votes } = approval
  const colour =
    status === 'approved' ? 'green' : status === 'pending' ? 'yellow' : status === 'rejected' ? 'red' : 'dim'
  const given = votes.filter(({ action }) => action === 'approved').length
  return [
    `${paint('bold', id)} ${paint(colour, status)} ${type}: ${title}`,
    paint(
      'dim',
      `  requested by ${requester}; until ${formatTime(expires_at)}${needed > 1 ? `; ${given} of ${needed} approvals` : ''}`,
    ),
    ...formatAction(approval, { paint }),
  ]
}

/** What exactly an approval allows: the parts that it is bound to, and the change as a diff. */
export function formatAction({ subject, diff }: Pick<Approval, 'subject' | 'diff'>, { paint }: Paint): string[] {
  return [...(subject ? subjectLines(subject, { paint }) : []), ...(diff ? diffLines(diff, { paint }) : [])]
}

/** What an approval is bound to. */
function subjectLines({ tool, paths, command, directory, content }: Subject, { paint }: Paint): string[] {
  const where = paths.length > 0 ? ` ${paths.map(escapeInvisibleLine).join(' ')}` : ''
  const lines = [
    `  ${escapeInvisibleLine(tool)}${where} in ${escapeInvisibleLine(directory)}; content SHA-256 ${content.slice(0, 12)}`,
  ]
  return [...lines.map(line => paint('dim', line)), ...(command ? [`  $ ${escapeInvisibleLine(command)}`] : [])]
}

/** A diff with its characters that are not seen made visible: it is what the person decides by. */
function diffLines(diff: string, { paint }: Paint): string[] {
  const lines = diff.replace(/\n$/, '').split('\n')
  const shown = lines.slice(0, DIFF_LINES).map(line => {
    const text = `  ${escapeInvisibleLine(line)}`
    return line.startsWith('+') ? paint('green', text) : line.startsWith('-') ? paint('red', text) : text
  })
  const more = lines.length - DIFF_LINES
  return more > 0 ? [...shown, paint('yellow', `  ${more} more lines: see --json`)] : shown
}

export function formatAgent(
  agent: Omit<Agent, 'credential_hash'> & { status: string; frozen: boolean; trust_level: string },
  { paint }: Paint,
): string {
  const { name, status, scopes, trust_level, frozen, expires_at } = agent
  const state = frozen ? paint('blue', 'frozen') : paint(status === 'valid' ? 'green' : 'dim', status)
  return `${paint('bold', name)} ${state} ${trust_level}; ${scopes.join(', ') || 'no scopes'}${expires_at ? `; until ${formatTime(expires_at)}` : ''}`
}

/** `2025-01-31 14:25:01` of an ISO time, in UTC as it is. */
export function formatTime(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`
}

/** A session as it is sent: without what only the look at git needs. */
export function hideInternals({
  baseline: _,
  bound_by: __,
  ...session
}: Session): Omit<Session, 'baseline' | 'bound_by'> {
  return session
}
