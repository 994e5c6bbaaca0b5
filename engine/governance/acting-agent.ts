import { EngineError } from '../base/errors.ts'
import type { GovernedContext } from './context.ts'
import { findCredential } from './credential.ts'
import { findAgentAmongParents } from './processes.ts'

/**
 * The coding agent that acts, as far as it can be told without records: by its credential, by markers in the environment, by its
 * process among the parents, by the protocol that only agents speak. Undefined for everybody else.
 */
export function actingAgent({
  surface,
  agent,
  caller,
  env,
}: Pick<GovernedContext, 'surface' | 'agent' | 'caller' | 'env'>): string | undefined {
  if (agent !== undefined) return agent
  if (surface === 'mcp') return 'an agent'
  const credential = surface === 'rest' ? caller?.credential : findCredential(env)
  if (credential) return 'an agent with a credential'
  return surface === 'cli' && caller?.pid !== undefined ? findAgentAmongParents(caller.pid) : undefined
}

/** FORBIDDEN where an agent acts: what weakens the judgement takes a person, and so does what is done in a person's name. */
export function refuseAgent(
  context: Pick<GovernedContext, 'surface' | 'agent' | 'caller' | 'env'>,
  what: string,
  reason = 'it weakens the evaluation of changes',
): void {
  const agent = actingAgent(context)
  if (agent === undefined) return
  throw new EngineError('FORBIDDEN', `${what} requires a user, since ${reason}; the caller is the agent ${agent}.`, {
    hint: 'Ask a user to run it at a terminal.',
  })
}
