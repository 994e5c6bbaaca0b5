import { visibleLine } from '../assure/text.ts'
import type { Context } from '../context.ts'
import { EngineError } from '../errors.ts'
import type { Finding } from '../finding.ts'
import type { Session } from '../state/records.ts'
import { answered } from './answered.ts'
import { consumeApproval, requestApproval, subjectDigest } from './approvals.ts'
import { OPEN } from './chain.ts'
import { type Desk, deskOf } from './desk.ts'
import { changedSince } from './recheck.ts'
import { recordRecheck } from './session-record.ts'

/** A gate's answer as far as governance can change it. */
export interface Verdict {
  passed: boolean
  reasons: string[]
}

/** Seconds that `gate --require-approval` waits where no time is given. */
const WAIT_SECONDS = 3600

/**
 * What git says of the sessions whose work is being judged, as reasons that hold a gate or a commit: changes outside a
 * session's paths, under `block` and `hitl`. So what an agent did without asking is found here, whatever it skipped.
 * Looked at is the acting agent's session; for somebody who is nobody known, every open one; for a person none.
 */
export async function scopeReasons(context: Context): Promise<string[]> {
  if (!context.desk) return []
  const desk = await deskOf(context)
  if (!desk.policy.task_binding.enabled || desk.identity.person) return []
  const reasons: string[] = []
  for (const session of sessionsOf(desk)) {
    const changed = await changedSince(desk.root, session, { signal: context.signal })
    const { decision, outside, approval } = desk.state.write(desk.acting, tx =>
      recordRecheck(tx, desk, session.id, changed, 'ask'),
    )
    if (changed.unknown) reasons.push(`the scope of ${session.id} cannot be verified: ${changed.unknown}`)
    if (outside.length === 0) continue
    const what = `${outside.length === 1 ? `${outside[0]} is` : `${outside.slice(0, 3).join(', ')}${outside.length > 3 ? ` and ${outside.length - 3} more` : ''} are`} outside the paths of ${session.id}`
    if (decision === 'warned') context.notice(`Governance: ${what}. It is recorded.`)
    if (decision === 'refused') reasons.push(what)
    if (decision === 'pending') reasons.push(`${what}, and ${approval!.id} is not approved`)
  }
  return reasons
}

function sessionsOf({ state, session, identity }: Desk): Session[] {
  if (session) return [session]
  return identity.method === 'none' ? state.read(reader => reader.find('sessions', OPEN)) : []
}

/**
 * Lets a person decide on a gate: over a failure, with `require_approval`; over a critical finding that passes, where the
 * policy wants it seen. The approval is for exactly these findings of this commit, once. With `require_approval` it waits.
 */
export async function humanVerdict(
  verdict: Verdict,
  {
    findings,
    git_sha,
    require_approval,
    seconds = WAIT_SECONDS,
  }: { findings: readonly Finding[]; git_sha?: string; require_approval: boolean; seconds?: number },
  context: Context,
): Promise<Verdict & { approval_id?: string }> {
  const open = findings.filter(({ status }) => status === 'open')
  const critical = open.filter(({ severity }) => severity === 'critical')
  const wanted = context.desk && (await deskOf(context)).policy.human_review_required.on_critical_finding
  const review = verdict.passed && wanted && critical.length > 0
  if (!review && (verdict.passed || !require_approval)) return verdict
  const desk = await deskOf(context)
  const { state, acting, identity, session } = desk
  const type = review ? 'critical_finding' : 'gate_override'
  const subject = {
    git_sha,
    fingerprints: (review ? critical : open).map(({ fingerprint }) => fingerprint).sort(),
    reasons: verdict.reasons,
  }
  const digest = subjectDigest(type, subject)
  const ask = () =>
    state.write(acting, tx => {
      const used = consumeApproval(tx, digest, identity.agent)
      if (used) return { approval: used, used: true }
      const title = review
        ? `${critical.length} critical findings pass the gate`
        : `The gate fails: ${verdict.reasons.join('; ')}`
      return {
        approval: requestApproval(tx, {
          type,
          title,
          context: open
            .slice(0, 50)
            .map(({ file, line, title }) => `${visibleLine(file)}:${line} ${title}`)
            .join('\n'),
          subject_digest: digest,
          requester: identity.agent,
          session_id: session?.id ?? null,
        }),
        used: false,
      }
    })
  let { approval, used } = ask()
  if (!used && require_approval) {
    context.notice(`Waiting for a person to decide on ${approval.id}.`)
    const { status } = await answered(desk, approval.id, seconds, context.signal)
    if (context.signal.aborted) throw new EngineError('INTERRUPTED', 'The wait for an approval was interrupted.')
    if (status === 'approved') ({ approval, used } = ask())
  }
  if (used) return { passed: true, reasons: [], approval_id: approval.id }
  const { status } = state.read(reader => reader.get('approvals', approval.id)!)
  const why = status === 'rejected' ? `${approval.id} was rejected` : `${approval.id} is not approved`
  return {
    passed: false,
    reasons: [...verdict.reasons, review ? `critical findings need a human: ${why}` : why],
    approval_id: approval.id,
  }
}
