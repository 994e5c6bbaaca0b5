import type { TrustLevel } from '../sources/config/values.ts'
import type { Agent } from '../sources/state/records.ts'
import type { Reader } from '../sources/state/tables.ts'
import { getTrust } from './identity.ts'
import type { Governance } from './policy.ts'

/** A registered agent as it is shown: without the hash, with how it stands now. */
export interface AgentStatus extends Omit<Agent, 'credential_hash'> {
  status: 'valid' | 'expired' | 'revoked'
  frozen: boolean
  /** The trust that its credential gives. */
  trust_level: TrustLevel
}

/** How an agent stands as of a moment. */
export function readAgentStatus(reader: Reader, at: string, agent: Agent, policy: Governance): AgentStatus {
  const { credential_hash: _, ...shown } = agent
  const expired = agent.expires_at !== null && agent.expires_at <= at
  return {
    ...shown,
    status: agent.revoked_at !== null ? 'revoked' : expired ? 'expired' : 'valid',
    frozen: reader.find('frozen', "name IN (?, '*') LIMIT 1", agent.name).length > 0,
    trust_level: getTrust({ agent: agent.name, method: 'credential', person: false, credential: 'valid' }, policy),
  }
}
