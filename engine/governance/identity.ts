import { isRemote } from '../base/context.ts'
import type { TrustLevel } from '../sources/config/values.ts'
import { AGENT_TRAILERS, findTrailerAgent } from '../sources/repository/commit-agents.ts'
import { tryGit } from '../sources/repository/git.ts'
import type { Method } from '../sources/state/entry.ts'
import type { Agent } from '../sources/state/records.ts'
import type { Reader } from '../sources/state/tables.ts'
import type { GovernedContext } from './context.ts'
import { findAgent, findCredential } from './credential.ts'
import { detectByMarkers } from './markers.ts'
import type { Governance } from './policy.ts'
import { findAgentAmongParents } from './processes.ts'
import { findLowest } from './trust.ts'

/** Who acts. */
export interface Identity {
  /** The agent's name; `user:<name>` or `api-key` for a person, `unknown` for nobody known. */
  agent: string
  method: Method
  /** A person needs no permission; anybody else is governed as an agent, known or not. */
  person: boolean
  /** The record behind a credential. */
  record?: Agent
  /** What a credential is worth; `unknown` is one that was never registered here. */
  credential: 'none' | 'valid' | 'revoked' | 'expired' | 'unknown'
}

/** Commits whose trailers are read for the name of an agent. */
const RECENT_COMMITS = 5

/**
 * Finds out who acts, in descending confidence (spec "Detected agent"): a credential; markers in the environment; an agent
 * among the parent processes; the trailers of recent commits. What can be forged only ever lowers trust: a person is who
 * sits at a terminal, or holds the API key, and bears no sign of an agent.
 */
export async function identify(
  root: string,
  context: Pick<GovernedContext, 'caller' | 'env' | 'surface' | 'signal'>,
  reader: Reader | undefined,
  at: string,
): Promise<Identity> {
  const { caller, env, surface } = context
  const remote = isRemote(context)
  const text = remote ? caller?.credential : findCredential(env)
  let credential: Identity['credential'] = 'none'
  if (text) {
    const record = reader && findAgent(reader, text)
    credential = record ? standing(record, at) : 'unknown'
    if (record) return { agent: record.name, method: 'credential', person: false, record, credential }
  }
  const marked = remote ? undefined : detectByMarkers(env)
  if (marked) return { agent: marked.agent, method: 'environment', person: false, credential }
  const parent = remote || caller?.pid === undefined ? undefined : findAgentAmongParents(caller.pid)
  if (parent) return { agent: parent, method: 'process', person: false, credential }
  if (credential === 'none') {
    if (surface === 'rest' && caller?.api_key) return { agent: 'api-key', method: 'api_key', person: true, credential }
    if (surface === 'cli' && caller?.terminal) return { agent: 'person', method: 'terminal', person: true, credential }
  }
  const author = remote ? undefined : await recentAgent(root, context.signal)
  if (author) return { agent: author, method: 'git', person: false, credential }
  return { agent: 'unknown', method: 'none', person: false, credential }
}

/**
 * The trust that a policy gives. Only a credential proves a name, so only it can raise trust above the default; a name
 * that was merely claimed can lower it.
 */
export function getTrust({ agent, person, credential }: Identity, { agent_defaults }: Governance): TrustLevel {
  if (person) return 'admin'
  const named = Object.hasOwn(agent_defaults.trust_by_agent, agent) ? agent_defaults.trust_by_agent[agent] : undefined
  const general = agent_defaults.default_trust_level
  if (named === undefined) return general
  return credential === 'valid' ? named : findLowest(named, general)
}

function standing({ revoked_at, expires_at }: Agent, at: string): 'valid' | 'revoked' | 'expired' {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= at ? 'expired' : 'valid'
}

/** The agent that the trailers of the last commits name, by the same table as `svc ai-attribution`; the newest first. */
async function recentAgent(root: string, signal: AbortSignal): Promise<string | undefined> {
  const format = `--format=%(trailers:${AGENT_TRAILERS},valueonly)`
  const { code, stdout } = await tryGit(root, ['log', `-${RECENT_COMMITS}`, format], { signal }).catch(() => ({
    code: 1,
    stdout: Buffer.alloc(0),
  }))
  if (code !== 0) return undefined
  for (const trailer of stdout.toString('utf8').split('\n')) {
    const agent = findTrailerAgent(trailer)
    if (agent !== undefined) return agent
  }
  return undefined
}
