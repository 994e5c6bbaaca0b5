import type { Surface } from '../../base/context.ts'
import type { TrustLevel } from '../config/values.ts'

/** How an agent was recognised, in descending confidence; `terminal` is a person, `none` is nobody that is known. */
export const METHODS = ['credential', 'environment', 'process', 'git', 'api_key', 'terminal', 'none'] as const
export type Method = (typeof METHODS)[number]

export const DECISIONS = ['allowed', 'warned', 'refused', 'pending'] as const
export type Decision = (typeof DECISIONS)[number]

/** Who acted, as it is recorded on every entry (spec "Detected agent"). */
export interface Actor {
  /** The agent's name; `user:<name>` for a person at a terminal, `api-key` for who has that, `unknown` for anybody else. */
  agent: string
  method: Method
  /** The task session that the agent works in. */
  session_id: string | null
  trust_level: TrustLevel
}

/** One entry of the audit log (decisions "Governance"). */
export interface AuditEntry {
  /** From 1, without gaps. */
  seq: number
  /** ISO 8601, UTC, milliseconds; never before that of the entry before. */
  at: string
  /** `agent.register`, `task.bind`, or the id of the operation that was guarded. */
  action: string
  surface: Surface
  actor: Actor
  /** What was acted on: an id, a path, a scope; empty where there is no such thing. */
  target: string
  decision: Decision
  details: Record<string, unknown>
  /** SHA-256 of the governance settings in force. */
  policy_digest: string
  /** SHA-256 of the entry before, or of the log's beginning for the first one. */
  prev_hash: string
  /** `hmac-sha256:<key id>:<HMAC of all the other fields>`. */
  _integrity: string
}

/** What the one who acts says of an entry; the rest is the log's. */
export type AuditDraft = Pick<AuditEntry, 'action' | 'target' | 'decision'> & { details?: Record<string, unknown> }

/** What holds for all entries of one transaction. */
export type Acting = Pick<AuditEntry, 'surface' | 'actor' | 'policy_digest'>
