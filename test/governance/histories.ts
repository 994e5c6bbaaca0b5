import { expect } from 'vitest'
import { EngineError } from '../../engine/base/errors.ts'
import { decide } from '../../engine/governance/decide.ts'
import { gatherFacts } from '../../engine/governance/facts.ts'
import { type GovernanceSession, openGovernanceFor } from '../../engine/governance/governance-session.ts'
import { type Governance, makeDefaultPolicy } from '../../engine/governance/policy.ts'
import type { Action } from '../../engine/governance/trust.ts'
import type { State } from '../../engine/sources/state/state.ts'
import fc from '../made/property.ts'
import type { Model, Settings } from './model.ts'

export const AGENTS = ['ann', 'bob', 'cid'] as const
export const SCOPES = ['scan', 'fix:write', 'config:write', '*'] as const
export const PATHS = ['src/', 'src/auth/', 'doc/'] as const
export const HOUR = 3600

/** The real thing, with the ids of its records by their place in the model's lists. */
export interface Real {
  state: State
  policy: Governance
  clock: { ms: number }
  sessions: string[]
  grants: string[]
  approvals: string[]
}

/** One event of a history. */
export type Step = (model: Model, real: Real) => void

export function policyOf(s: Settings): Governance {
  const base = makeDefaultPolicy()
  return {
    ...base,
    agent_defaults: {
      default_trust_level: 'scan',
      trust_by_agent: { ann: 'admin', bob: 'fix:any' },
      queue_action: s.queue,
    },
    task_binding: {
      enabled: s.binding,
      enforcement: s.enforcement,
      require_binding: s.required,
      auto_expire_seconds: HOUR,
    },
    trust_chain: { enabled: true, max_depth: 2, allow_same_level: s.sameLevel, cascade_revocation: s.cascade },
    tool_grants: {
      ...base.tool_grants,
      enabled: s.grants,
      auto_grant_scopes: ['scan', 'fix:write'],
      max_ttl_seconds: HOUR,
    },
  }
}

export function governance({ state, policy }: Real, who: string): GovernanceSession {
  const record = state.read(reader => reader.get('agents', who))
  if (!record)
    return openGovernanceFor(
      state,
      policy,
      { agent: 'user:eve', method: 'terminal', person: true, credential: 'none' },
      'cli',
    )
  const credential = record.revoked_at === null ? 'valid' : 'revoked'
  return openGovernanceFor(
    state,
    policy,
    { agent: who, method: 'credential', person: false, record, credential },
    'cli',
  )
}

export function attempt(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (error instanceof EngineError) return false
    throw error
  }
}

/** The guard's word before an agent's step, as `invoke` asks for it; both accounts must agree on it. */
export function permitted(model: Model, real: Real, who: string): boolean {
  if (!model.agents.has(who)) return false
  const decision = ask(real, who, 'read_findings', undefined, true)
  expect(decision).toBe(model.decide(who, 'read_findings', undefined, true))
  return decision === 'allowed' || decision === 'warned'
}

export function ask(real: Real, who: string, action: Action, path: string | undefined, unbound: boolean): string {
  const at = governance(real, who)
  const wanted = { action, unbound, folder: real.state.root, paths: path === undefined ? [] : [path] }
  return decide(real.state.read((reader, now) => gatherFacts(at, reader, now, wanted))).decision
}

export const agent = fc.constantFrom(...AGENTS)
export const place = fc.nat({ max: 1000 })
/** A place in a list of that length, so that nearly every step finds something to act on. */
export const within = (list: readonly unknown[], number: number) => number % Math.max(list.length, 1)
