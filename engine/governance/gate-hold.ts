import { EngineError } from '../base/errors.ts'
import type { Finding } from '../base/records/finding.ts'
import { escapeInvisibleLine } from '../base/text/visible.ts'
import type { Session } from '../sources/state/records.ts'
import { awaitAnswer, describeWaiting } from './answered.ts'
import { computeSubjectDigest, consumeApproval, requestApproval } from './approvals.ts'
import { OPEN } from './chain.ts'
import type { GovernedContext } from './context.ts'
import { type GovernanceSession, openGovernance } from './governance-session.ts'
import { findChangedSince } from './recheck.ts'
import { recordRecheck } from './session-record.ts'
import { isEndForged, listTamperingReasons } from './tampering.ts'

/** A gate's answer as far as governance can change it. */
export interface Verdict {
  passed: boolean
  reasons: string[]
}

/** Seconds that `gate --require-approval` waits where no time is given. */
const WAIT_SECONDS = 3600

/**
 * Why governance fails a gate or a commit, as sentences: what was done to its records, for whoever asks; then what git says
 * of the sessions whose work is judged.
 */
export async function listGovernanceReasons(context: GovernedContext): Promise<string[]> {
  if (!context.governance) return context.held ?? []
  const governance = await openGovernance(context)
  const tampering = listTamperingReasons(governance, context.env)
  // What sessions say is not to be believed then, and nothing can be written to them where the log's end is not ours.
  return tampering.length > 0 ? tampering : listScopeReasons(context)
}

/**
 * What git says of the sessions whose work is being judged, as reasons that hold a gate or a commit: changes outside a
 * session's paths, under `block` and `hitl`. So what an agent did without asking is found here, whatever it skipped.
 * Looked at is the acting agent's session; for somebody who is nobody known, every open one; for a person none.
 */
export async function listScopeReasons(context: GovernedContext): Promise<string[]> {
  if (!context.governance) return []
  const governance = await openGovernance(context)
  if (governance.identity.person) return []
  const { enabled } = governance.policy.task_binding
  const reasons: string[] = []
  for (const session of sessionsOf(governance)) {
    const changed = await findChangedSince(governance.root, session, { signal: context.signal })
    const { decision, outside, weakening, approval } = governance.state.write(governance.acting, tx =>
      recordRecheck(tx, governance, session.id, changed, 'ask'),
    )
    if (changed.unknown && enabled) reasons.push(`the scope of ${session.id} cannot be verified: ${changed.unknown}`)
    if (outside.length === 0) continue
    const beyond = outside.filter(path => !weakening.includes(path))
    const what = [
      ...(beyond.length > 0 ? [`${listed(beyond)} outside the paths of ${session.id}`] : []),
      ...(weakening.length > 0
        ? [`${listed(weakening)} protected: a change there weakens the evaluation of changes and requires a user`]
        : []),
    ].join('; ')
    if (decision === 'warned') context.notice(`Governance: ${what}. It is recorded.`)
    if (decision === 'refused') reasons.push(what)
    if (decision === 'pending')
      reasons.push(`${what}, and ${approval!.id} is not approved (\`svc approve ${approval!.id}\`)`)
  }
  return reasons
}

/** `a and 2 more are`, for a sentence. */
function listed(paths: readonly string[]): string {
  if (paths.length === 1) return `${paths[0]} is`
  return `${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ` and ${paths.length - 3} more` : ''} are`
}

function sessionsOf({ state, session, identity }: GovernanceSession): Session[] {
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
  context: GovernedContext,
): Promise<Verdict & { approval_id?: string }> {
  const open = findings.filter(({ status }) => status === 'open')
  const critical = open.filter(({ severity }) => severity === 'critical')
  // An answer that cannot be written down cannot be given.
  if (context.held || (context.governance && isEndForged(await openGovernance(context)))) return verdict
  const wanted = context.governance && (await openGovernance(context)).policy.human_review_required.on_critical_finding
  const review = verdict.passed && wanted && critical.length > 0
  if (!review && (verdict.passed || !require_approval)) return verdict
  const governance = await openGovernance(context)
  const { state, acting, identity, session } = governance
  const type = review ? 'critical_finding' : 'gate_override'
  const subject = {
    git_sha,
    fingerprints: (review ? critical : open).map(({ fingerprint }) => fingerprint).sort(),
    reasons: verdict.reasons,
  }
  const digest = computeSubjectDigest(type, subject)
  const ask = () =>
    state.write(acting, tx => {
      const used = consumeApproval(tx, digest, identity.agent)
      if (used) return { approval: used, used: true }
      const title = review
        ? `${critical.length} critical findings pass the gate`
        : `Gate failed: ${verdict.reasons.join('; ')}`
      return {
        approval: requestApproval(tx, {
          type,
          title,
          context: open
            .slice(0, 50)
            .map(({ file, line, title }) => `${escapeInvisibleLine(file)}:${line} ${title}`)
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
    context.notice(describeWaiting(approval.id))
    const { status } = await awaitAnswer(governance, approval.id, seconds, context.signal)
    if (context.signal.aborted) throw new EngineError('INTERRUPTED', 'The wait for an approval was interrupted.')
    if (status === 'approved') ({ approval, used } = ask())
  }
  if (used) return { passed: true, reasons: [], approval_id: approval.id }
  const { status } = state.read(reader => reader.get('approvals', approval.id)!)
  const why = status === 'rejected' ? `${approval.id} was rejected` : `${approval.id} is not approved`
  return {
    passed: false,
    reasons: [...verdict.reasons, review ? `critical findings require an approval: ${why}` : why],
    approval_id: approval.id,
  }
}
