import type { ChainFault } from '../audit/verify.ts'
import { acceptReplaced, findWitnessFault } from '../audit/witnessed.ts'
import { EngineError } from '../base/errors.ts'
import type { RecordFault } from '../sources/state/seals.ts'
import type { State } from '../sources/state/state.ts'
import { computeSubjectDigest, consumeApproval, findGivenApproval, requestApproval } from './approvals.ts'
import type { GovernedContext } from './context.ts'
import type { GovernanceSession } from './governance-session.ts'
import { isActive } from './policy.ts'

/** Reasons that are listed; the rest is counted. */
const LISTED = 5

/** A fault of the records as a fault of the log. */
export function toFault({ table, seq, message }: RecordFault): ChainFault {
  const kind =
    table !== 'audit' ? 'records_changed' : message.includes('a key that is not here') ? 'unknown_key' : 'forged_head'
  return { kind, seq, message: `${message[0]!.toUpperCase()}${message.slice(1)}.` }
}

/**
 * What speaks against the records as a whole before any row is read, cheap enough for every decision: the log's end and
 * the table of digests, the witness outside the repository, a clock that was set back.
 */
export function findGroundFaults(state: State, env: GovernedContext['env'], governs: boolean): ChainFault[] {
  const end = state.endFault()
  // A log without records vouched for nothing but its own entries: a runner that cleans its checkout loses one each time.
  const witness = findWitnessFault(state, env, gone => gone.records !== 0 || (gone.governs !== false && !governs))
  const ahead = state.clockAhead()
  return [
    ...(end ? [toFault(end)] : []),
    ...(witness ? [witness] : []),
    ...(ahead > 0
      ? [
          {
            kind: 'clock' as const,
            seq: state.head().seq,
            message: `The clock was set back, or was ahead: the last entry of the log is ${Math.ceil(ahead / 60_000)} minutes from now.`,
          },
        ]
      : []),
  ]
}

/** All that speaks against the records: what the governance session has met, and every row that is not what the log says of it. */
export function findStateFaults({ state, faults }: Pick<GovernanceSession, 'state' | 'faults'>): ChainFault[] {
  const all = [...faults, ...state.recordFaults().map(toFault)]
  // The first of each sentence: a map keeps the order in which its keys came.
  return [...new Map(all.toReversed().map(fault => [fault.message, fault])).values()].toReversed()
}

/**
 * Refuses what rests on the records while something speaks against them. CONFLICT, naming each row and what does not fit.
 */
export function refuseTampered(governance: Pick<GovernanceSession, 'state' | 'faults'>, what: string): void {
  const faults = findStateFaults(governance)
  if (faults.length === 0) return
  const listed = faults.slice(0, LISTED).map(({ message }) => message.replace(/\.$/, ''))
  throw new EngineError(
    'CONFLICT',
    `${what} depends on the governance records, which were modified: ${listed.join('; ')}.`,
    {
      hint: 'A user checks with `svc audit verify`, and restores or accepts the records with --restore-records, --accept-records or --accept-replaced.',
    },
  )
}

/** Whether entries cannot be written, since the end of the log is not ours. */
export function isEndForged({ faults }: Pick<GovernanceSession, 'faults'>): boolean {
  return faults.some(({ kind }) => kind === 'unknown_key' || kind === 'forged_head')
}

/**
 * Sentences that fail a gate or a commit because of what was done to the records, each with the way out; none where they
 * are sound. What a person can agree to by an answer is asked for, and accepted once the answer is given.
 */
export function listTamperingReasons(governance: GovernanceSession, env: GovernedContext['env']): string[] {
  const faults = findStateFaults(governance)
  const accepted = faults.length > 0 && acceptAnswered(governance, faults, env)
  const standing = accepted ? faults.filter(fault => !isAnswerable(fault)) : faults
  const reasons = standing
    .slice(0, LISTED)
    .map(fault => `${sentence(governance, fault)} (${wayOut(governance, fault, faults)})`)
  return standing.length > LISTED ? [...reasons, `${standing.length - LISTED} more records were changed`] : reasons
}

/** The fault as a reason: a log that is gone together with the settings is governance that was switched off. */
function sentence({ policy }: Pick<GovernanceSession, 'policy'>, { kind, message }: ChainFault): string {
  const what = message.replace(/\.$/, '')
  if (kind !== 'replaced' || isActive(policy)) return what
  const since = /until (\S+) is missing/.exec(message)?.[1]
  return `governance was switched off since ${since}: .svc/local was removed, and the settings no longer enable it`
}

function isAnswerable({ kind }: ChainFault): boolean {
  return kind === 'replaced' || kind === 'truncated' || kind === 'witness_changed' || kind === 'clock'
}

function wayOut(governance: GovernanceSession, fault: ChainFault, all: readonly ChainFault[]): string {
  if (fault.kind === 'unknown_key') return 'restore the key, or set GUARD_AUDIT_HMAC_KEY_PREVIOUS to it'
  if (fault.kind === 'forged_head')
    return 'restore state.db from a backup, or move it aside and run `svc audit verify --accept-replaced` as a user'
  if (fault.kind === 'records_changed')
    return 'a user restores the rows with `svc audit verify --restore-records`, or accepts them with `--accept-records`'
  if (governance.identity.person || isEndForged(governance))
    return 'accept it, as a user, with `svc audit verify --accept-replaced`'
  return `a user accepts it with \`svc approve ${askToAccept(governance, all)}\``
}

/** The request that a person answers to accept what was done; asked for once. */
function askToAccept(governance: GovernanceSession, faults: readonly ChainFault[]): string {
  const { state, acting, identity, session } = governance
  const answerable = faults.filter(isAnswerable)
  const approval = state.write(acting, tx =>
    requestApproval(tx, {
      type: 'config_change',
      title: answerable.map(fault => sentence(governance, fault)).join('; '),
      context: answerable.map(({ message }) => message).join('\n'),
      subject_digest: digestOf(governance, faults),
      requester: identity.agent,
      session_id: session?.id ?? null,
    }),
  )
  return approval.id
}

/** Accepts what a person has agreed to; whether they had. The answer is used up. */
function acceptAnswered(
  governance: GovernanceSession,
  faults: readonly ChainFault[],
  env: GovernedContext['env'],
): boolean {
  const { state, acting, identity } = governance
  if (!faults.some(isAnswerable) || isEndForged(governance)) return false
  const digest = digestOf(governance, faults)
  if (!state.read((reader, at) => findGivenApproval(reader, digest, identity.agent, at))) return false
  const used = state.write(acting, tx => consumeApproval(tx, digest, identity.agent))
  if (!used) return false
  acceptReplaced(governance, env, used.id)
  return true
}

/** Bound to what was found, and to the settings that would then hold. */
function digestOf({ acting }: GovernanceSession, faults: readonly ChainFault[]): string {
  const found = faults
    .filter(isAnswerable)
    .map(({ kind, message }) => (kind === 'clock' ? kind : `${kind}: ${message}`))
  return computeSubjectDigest('config_change', { accept: found, policy: acting.policy_digest })
}
