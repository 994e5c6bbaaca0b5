import { accessSync, constants } from 'node:fs'
import { userInfo } from 'node:os'
import type { ChainFault } from '../audit/verify.ts'
import { nameWitness, WITNESS_KEY } from '../audit/witnessed.ts'
import type { Surface } from '../base/context.ts'
import { makeFolders } from '../base/disk/make-folders.ts'
import { locateWitnesses } from '../base/disk/user-state.ts'
import { EngineError } from '../base/errors.ts'
import { findRepositoryRoot, loadConfig } from '../sources/config/load.ts'
import type { TrustLevel } from '../sources/config/values.ts'
import type { Acting, Actor } from '../sources/state/entry.ts'
import { stateExists } from '../sources/state/local-folder.ts'
import { openState } from '../sources/state/open.ts'
import type { Session } from '../sources/state/records.ts'
import type { RecordFault } from '../sources/state/seals.ts'
import type { State } from '../sources/state/state.ts'
import { readWitness } from '../sources/state/witness.ts'
import { findSessionInForce, listChain } from './chain.ts'
import type { GovernedContext } from './context.ts'
import { expireDue } from './expiry.ts'
import { getTrust, type Identity, identify } from './identity.ts'
import { computeDigest, type Governance, isActive } from './policy.ts'
import { findGroundFaults, toFault } from './tampering.ts'
import { findLowest } from './trust.ts'

/** Where governance is done: who acts, under which policy, in which session, on which records. */
export interface GovernanceSession {
  root: string
  state: State
  policy: Governance
  identity: Identity
  /** The trust that holds now: the agent's own, lowered by its session and those above it. */
  trust: TrustLevel
  /** The open session that the agent works in, and those above it, nearest first. */
  session?: Session
  chain: Session[]
  /**
   * What was met that speaks against the records: rows that are not what the log says of them, a log that is another one.
   * Nothing that rests on the records may be decided then.
   */
  faults: readonly ChainFault[]
  actor: Actor
  acting: Acting
}

const sessions = new WeakMap<GovernedContext, Promise<GovernanceSession>>()

/**
 * The governance session for one invocation; made once, whoever asks. It opens the repository's records, making them where there are
 * none, but for whoever only looks where nothing is governed; the guard closes them when the invocation is over.
 * `written` are the settings, where they were read already.
 */
export function openGovernance(
  context: GovernedContext,
  folder: string = context.cwd,
  written?: Governance,
): Promise<GovernanceSession> {
  const known = sessions.get(context)
  if (known) return known
  const governance = open(context, findRepositoryRoot(folder), written)
  sessions.set(context, governance)
  context.governance = {
    async close() {
      sessions.delete(context)
      context.governance = undefined
      const opened = await governance.catch(() => undefined)
      opened?.state.close()
    },
  }
  return governance
}

async function open(context: GovernedContext, root: string, written?: Governance): Promise<GovernanceSession> {
  const settings = written ?? (await loadConfig(root, { env: context.env })).governance
  // Who looks where nothing is governed, and never was, leaves no records that would switch governance on.
  const passing = context.reads === true && !stateExists(root) && !isActive(settings) && !readWitness(context.env, root)
  const options = { env: context.env, key: settings.audit.key, passing }
  const state = await (context.openRecords ?? openState)(root, options)
  try {
    // Before anything is written: the first look at records that stand in for others tells of it.
    const ground = passing ? [] : findGroundFaults(state, context.env, isActive(settings))
    if (ground.some(({ kind }) => kind === 'witness_changed')) state.witnessing = false
    const { identity, met } = await state.readLater(async (reader, at) => {
      const identity = named(await identify(root, context, reader, at))
      return { identity, met: reader.faults }
    })
    const { policy, found } = policyInForce(state, settings, identity, context)
    state.governs = isActive(policy)
    unlessForged(() => expireDue(state))
    const governance = openGovernanceFor(state, policy, identity, context.surface, context.env.SVC_TASK_SESSION)
    const faults = [...ground, ...[...met, ...found].map(toFault), ...governance.faults]
    if (faults.length > 0 && identity.person)
      context.notice(`Governance: ${faults[0]!.message} Run \`svc audit verify\`.`)
    return { ...governance, faults }
  } catch (error) {
    state.close()
    throw error
  }
}

/** The governance session of somebody who is known, on records that are open. `wanted` names the session to work in. */
export function openGovernanceFor(
  state: State,
  policy: Governance,
  identity: Identity,
  surface: Surface,
  wanted?: string,
): GovernanceSession {
  const { session, chain, met } = state.read((reader, at) => {
    if (!identity.person) reader.checkOpenSessions(identity.agent)
    const session = findSessionInForce(reader, identity, wanted, at)
    return { session, chain: session ? listChain(reader, session) : [], met: reader.faults }
  })
  const trust = findLowest(getTrust(identity, policy), ...chain.map(({ trust_level }) => trust_level))
  const actor: Actor = {
    agent: identity.agent,
    method: identity.method,
    session_id: session?.id ?? null,
    trust_level: trust,
  }
  const acting: Acting = { surface, actor, policy_digest: computeDigest(policy) }
  const faults = met.map(toFault)
  return { root: state.root, state, policy, identity, trust, chain, faults, actor, acting, ...(session && { session }) }
}

/** A person by the name that the system knows them by. */
function named(identity: Identity): Identity {
  if (identity.method !== 'terminal') return identity
  try {
    return { ...identity, agent: `user:${userInfo().username}` }
  } catch {
    return identity
  }
}

/**
 * The policy that decides. The one that a person last worked under is kept with the records: an agent that rewrites the
 * configuration, or deletes it, still works under the old one, and an entry tells of it. A person's next command takes the new one over.
 */
function policyInForce(
  state: State,
  written: Governance,
  identity: Identity,
  context: GovernedContext,
): { policy: Governance; found: readonly RecordFault[] } {
  const { kept, found } = state.read(reader => {
    const row = reader.get('meta', 'policy')
    // What was sealed decides, not what somebody wrote over it or took away.
    return { kept: reader.faults.length > 0 ? (reader.sealed('meta', 'policy') ?? row) : row, found: reader.faults }
  })
  const digest = computeDigest(written)
  const keptPolicy = kept === undefined ? undefined : (JSON.parse(kept.value) as Governance)
  if (found.length > 0) return { policy: keptPolicy ?? written, found }
  if (keptPolicy && computeDigest(keptPolicy) === digest) return { policy: written, found }
  const actor: Actor = { agent: identity.agent, method: identity.method, session_id: null, trust_level: 'none' }
  const acting: Acting = { surface: context.surface, actor, policy_digest: digest }
  if (keptPolicy === undefined || identity.person) {
    const taken = unlessForged(() =>
      state.write(acting, tx => {
        tx.keep('policy', JSON.stringify(written))
        if (canWitness(context.env)) tx.keep(WITNESS_KEY, nameWitness(context.env, state.root))
        tx.audit({
          action: keptPolicy ? 'policy.change' : 'policy.begin',
          target: digest,
          decision: 'allowed',
          details: { policy: written },
        })
      }),
    )
    return { policy: taken || !keptPolicy ? written : keptPolicy, found }
  }
  if (state.meta('policy_refused') !== digest) {
    unlessForged(() =>
      state.write(acting, tx => {
        tx.keep('policy_refused', digest)
        tx.audit({ action: 'policy.change', target: digest, decision: 'refused', details: { policy: written } })
      }),
    )
  }
  context.notice(
    'The governance settings have changed since a user last ran svc here; the earlier settings apply until a user runs an svc command at a terminal.',
  )
  return { policy: keptPolicy, found }
}

/** Whether a witness of the log can be kept: where it cannot, its absence will be no evidence. */
function canWitness(env: GovernedContext['env']): boolean {
  try {
    makeFolders(locateWitnesses(env), { mode: 0o700 })
    accessSync(locateWitnesses(env), constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Does a step of housekeeping; whether it was done. Where the log's end is forged nothing can be written, but it must
 * still be possible to look: verifying it is what comes next.
 */
function unlessForged(step: () => void): boolean {
  try {
    step()
    return true
  } catch (error) {
    if (error instanceof EngineError && error.code === 'STORE_UNREADABLE') return false
    throw error
  }
}

/** The governance session's person; FORBIDDEN for anybody else. */
export function requirePerson({ identity }: Pick<GovernanceSession, 'identity'>, what: string): void {
  if (identity.person) return
  throw new EngineError('FORBIDDEN', `${what} requires a user; the caller is ${identity.agent} (${identity.method}).`, {
    hint: 'Do it at a terminal without an agent, or sign in at a dashboard that was started with GUARD_API_KEY.',
  })
}
