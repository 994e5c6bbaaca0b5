import type { Actor, Decision } from '../audit/entry.ts'
import { loadConfig, repositoryRoot } from '../config/load.ts'
import type { Context } from '../context.ts'
import { stateExists } from '../state/local-folder.ts'
import { decide, type Facts } from './decide.ts'
import { deskOf } from './desk.ts'
import { factsFor } from './facts.ts'
import { identify, trustOf } from './identity.ts'
import { isActive } from './policy.ts'
import { type Action, actionNamed } from './trust.ts'

/** Whether somebody may do something, and why not. */
export interface Check {
  action: string
  permitted: boolean
  decision: Decision
  reasons: string[]
  actor: Actor
  governed: boolean
}

/**
 * Decides on an action without doing anything. Where there are no records none are made: identity and trust are told
 * from the configuration alone. A refusal is recorded where there are, unless `records` says that nobody means to do it.
 */
export async function check(name: string, context: Context, { records = true } = {}): Promise<Check> {
  const action = actionNamed(name)
  const root = repositoryRoot(context.cwd)
  if (!stateExists(root)) return checkWithoutRecords(root, action, context)
  const desk = await deskOf(context)
  const facts = desk.state.read((reader, at) =>
    factsFor(desk, reader, at, { action, unbound: false, folder: context.cwd, paths: [] }),
  )
  const verdict = answerOf(facts)
  if (verdict.decision === 'refused' && records) {
    desk.state.write(desk.acting, tx =>
      tx.audit({ action, target: 'agent-check', decision: 'refused', details: { reasons: verdict.reasons } }),
    )
  }
  return { action, ...verdict, actor: desk.actor, governed: true }
}

async function checkWithoutRecords(root: string, action: Action, context: Context): Promise<Check> {
  const { governance: policy } = await loadConfig(root, { env: context.env })
  const identity = await identify(root, context, undefined, new Date().toISOString())
  const trust = trustOf(identity, policy)
  const facts: Facts = {
    policy,
    agent: identity.agent,
    person: identity.person,
    credential: identity.credential,
    frozen: false,
    trust,
    granted: [],
    bound: false,
    action,
    unbound: false,
    outside: [],
    unclear: [],
    protected: [],
    zones: [],
  }
  const actor = { agent: identity.agent, method: identity.method, session_id: null, trust_level: trust }
  return { action, ...answerOf(facts), actor, governed: isActive(policy) }
}

function answerOf(facts: Facts): Pick<Check, 'permitted' | 'decision' | 'reasons'> {
  const { decision, opinions } = decide(facts)
  return {
    permitted: decision === 'allowed' || decision === 'warned',
    decision,
    reasons: opinions.map(({ reason }) => reason),
  }
}
