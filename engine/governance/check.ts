import { findRepositoryRoot, loadConfig } from '../sources/config/load.ts'
import type { Actor, Decision } from '../sources/state/entry.ts'
import { stateExists } from '../sources/state/local-folder.ts'
import type { GovernedContext } from './context.ts'
import { describeUnknownCredential } from './credential.ts'
import { decide, type Facts } from './decide.ts'
import { gatherFacts } from './facts.ts'
import { openGovernance } from './governance-session.ts'
import { getTrust, identify } from './identity.ts'
import { isActive } from './policy.ts'
import { type Action, getActionNamed } from './trust.ts'

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
 * from the configuration alone. A refusal is recorded where there are.
 */
export async function check(name: string, context: GovernedContext): Promise<Check> {
  const answer = (await makeChecker(context))(getActionNamed(name))
  if (answer.decision === 'refused' && stateExists(findRepositoryRoot(context.cwd))) {
    const { state, acting } = await openGovernance(context)
    state.write(acting, tx =>
      tx.audit({
        action: answer.action,
        target: 'agent-check',
        decision: 'refused',
        details: { reasons: answer.reasons },
      }),
    )
  }
  return answer
}

/** Finds out who asks, and answers for any action whether they may, without a record of it. */
export async function makeChecker(context: GovernedContext): Promise<(action: Action) => Check> {
  const root = findRepositoryRoot(context.cwd)
  if (!stateExists(root)) return checkerWithoutRecords(root, context)
  const governance = await openGovernance(context)
  return action => {
    const facts = governance.state.read((reader, at) =>
      gatherFacts(governance, reader, at, {
        ...{ action, unbound: false, folder: context.cwd, paths: [] },
        looks: /^(read|run)_/.test(action),
      }),
    )
    return { action, ...answerOf(facts), actor: governance.actor, governed: true }
  }
}

async function checkerWithoutRecords(root: string, context: GovernedContext): Promise<(action: Action) => Check> {
  const { governance: policy } = await loadConfig(root, { env: context.env })
  const identity = await identify(root, context, undefined, new Date().toISOString())
  const trust = getTrust(identity, policy)
  const facts: Omit<Facts, 'action'> = {
    policy,
    agent: identity.agent,
    person: identity.person,
    credential: identity.credential,
    frozen: false,
    trust,
    granted: [],
    bound: false,
    unbound: false,
    outside: [],
    unclear: [],
    protected: [],
    zones: [],
  }
  const actor: Actor = { agent: identity.agent, method: identity.method, session_id: null, trust_level: trust }
  return action => ({ action, ...answerOf({ ...facts, action }), actor, governed: isActive(policy) })
}

function answerOf(facts: Facts): Pick<Check, 'permitted' | 'decision' | 'reasons'> {
  const { decision, opinions } = decide(facts)
  return {
    permitted: decision === 'allowed' || decision === 'warned',
    decision,
    reasons: [
      ...opinions.map(({ reason }) => reason),
      ...(facts.credential === 'unknown' ? [describeUnknownCredential(facts.agent)] : []),
    ],
  }
}
