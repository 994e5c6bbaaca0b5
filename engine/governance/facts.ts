import type { Reader } from '../sources/state/tables.ts'
import { makeChainScope } from './chain.ts'
import type { Facts } from './decide.ts'
import type { GovernanceSession } from './governance-session.ts'
import { listActiveGrants } from './grant-life.ts'
import { judgePath } from './paths.ts'
import type { Action } from './trust.ts'
import { findZonesTouched, isProtected } from './zones.ts'

/** What somebody wants to do. */
export interface Wanted {
  action: Action
  unbound: boolean
  /** It only looks, scans or asks the gate, which is permitted whatever was done to the records. */
  looks?: boolean
  /** The folder that the paths are relative to. */
  folder: string
  paths: readonly string[]
}

/** Facts with the paths that were judged, for the session's record. */
export interface JudgedFacts extends Facts {
  touched: readonly string[]
}

/** Gathers what a decision depends on, as of one moment. */
export function gatherFacts(governance: GovernanceSession, reader: Reader, at: string, wanted: Wanted): JudgedFacts {
  const { identity, policy, root, trust, session, chain } = governance
  const judged = wanted.paths.map(path => judgePath(root, wanted.folder, path))
  const paths = [...new Set(judged.flatMap(one => ('paths' in one ? one.paths : [])))]
  const permits = makeChainScope(chain)
  const isFrozen = reader.get('frozen', identity.agent) !== undefined || reader.get('frozen', '*') !== undefined
  // A grant is for a name; only a credential proves one.
  const granted =
    identity.credential === 'valid' ? listActiveGrants(reader, identity.agent, at).map(({ scope }) => scope) : []
  const met = [...governance.faults.map(({ message }) => message), ...reader.faults.map(({ message }) => message)]
  return {
    policy,
    agent: identity.agent,
    person: identity.person,
    credential: identity.credential,
    frozen: isFrozen,
    tampered: wanted.looks ? [] : met,
    trust,
    ...(identity.record && { scopes: identity.record.scopes }),
    granted,
    bound: session !== undefined,
    action: wanted.action,
    unbound: wanted.unbound,
    outside: session ? paths.filter(path => !permits(path)) : [],
    unclear: judged.flatMap(one => ('reason' in one ? one : [])),
    protected: paths.filter(isProtected),
    zones: policy.blast_radius.enabled ? findZonesTouched(policy, paths) : [],
    touched: paths,
  }
}
