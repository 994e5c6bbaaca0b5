import type { TrustLevel } from '../config/values.ts'
import type { Method } from './entry.ts'

// The records of governance as they are stored, shown and sent (decisions "Governance"). Times are ISO 8601 in UTC.

/** A registered agent. The credential itself is never stored. */
export interface Agent {
  name: string
  /** SHA-256 of the credential, hex. */
  credential_hash: string
  scopes: string[]
  created_at: string
  expires_at: string | null
  revoked_at: string | null
}

export const AUDITOR_SCOPES = ['findings', 'compliance', 'audit_log', 'evidence', 'trends'] as const
export type AuditorScope = (typeof AUDITOR_SCOPES)[number]

/** A token that lets an auditor read for some time (spec "Auditor token"). The token itself is never stored. */
export interface AuditorToken {
  /** SHA-256 of the token, hex. */
  token_hash: string
  /** The first eight characters after `svc_auditor_`: names the token, and opens nothing. */
  prefix: string
  name: string
  email: string
  scopes: AuditorScope[]
  created_at: string
  created_by: string
  expires_at: string
  revoked_at: string | null
}

export const SESSION_STATUSES = ['active', 'violated', 'done', 'expired', 'revoked', 'rolled_back'] as const
export type SessionStatus = (typeof SESSION_STATUSES)[number]

/** An access outside a session's paths, and what was decided. */
export interface Violation {
  path: string
  action: string
  at: string
  decision: 'recorded' | 'refused' | 'pending' | 'approved'
}

export interface Session {
  id: string
  agent: string
  /** How the agent was known: only one known by its credential can work in a session bound with one. */
  bound_by: Method
  intent: string
  authorized_paths: string[]
  work_item: string | null
  status: SessionStatus
  /** The commit at the beginning; null in a folder without any. */
  git_sha: string | null
  branch: string | null
  created_at: string
  expires_at: string
  ended_at: string | null
  parent_id: string | null
  trust_level: TrustLevel
  files_touched: string[]
  violations: Violation[]
  zones_touched: string[]
  findings_new: number
  /** Files that differed from the commit already when the session began: path → object id, or `absent`. */
  baseline: Record<string, string>
}

/** A sub-task that a session has handed to another agent. */
export interface Delegation {
  id: string
  /** The session that delegates. */
  parent_id: string
  /** The session that works on it. */
  session_id: string
  agent: string
  task: string
  trust_level: TrustLevel
  paths: string[]
  /** 1 for a delegation of a session that was not delegated itself. */
  depth: number
  status: 'active' | 'revoked' | 'expired' | 'done'
  created_at: string
  expires_at: string
  ended_at: string | null
}

export const GRANT_STATUSES = ['pending', 'active', 'denied', 'expired', 'revoked'] as const
export type GrantStatus = (typeof GRANT_STATUSES)[number]

export interface Grant {
  id: string
  scope: string
  agent: string
  session_id: string | null
  reason: string
  status: GrantStatus
  /** Seconds; how long it lives from the moment it became active. */
  ttl_seconds: number
  requested_at: string
  granted_at: string | null
  expires_at: string | null
  /** Who granted it: `policy`, or a person. */
  granted_by: string | null
  approval_id: string | null
  /** How often it was what permitted an action. */
  uses: number
  /** It ends after so many uses; null for any number. */
  max_uses: number | null
  ended_at: string | null
}

export const APPROVAL_TYPES = [
  'scope_violation',
  'zone_access',
  'auto_patch',
  'config_change',
  'dependency_add',
  'critical_finding',
  'tool_grant',
  'rollback',
  'gate_override',
  'agent_escalation',
] as const
export type ApprovalType = (typeof APPROVAL_TYPES)[number]

export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'expired', 'consumed'] as const
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]

export interface Vote {
  by: string
  action: 'approved' | 'rejected'
  comment: string
  at: string
}

/** The parts of an action that an approval is bound to. What a part stands for is in the digest; long ones are named by their own. */
export interface Subject {
  /** The operation, or the agent's tool. */
  tool: string
  /** Repository-relative. */
  paths: string[]
  /** SHA-256 of all that is given to the tool: content, old and new text, options. */
  content: string
  /** The command line, for a tool that runs one. */
  command: string | null
  /** The folder in which it is done, relative to the repository's root. */
  directory: string
}

export interface Approval {
  id: string
  type: ApprovalType
  title: string
  context: string
  /** SHA-256 of the exact action that it allows. */
  subject_digest: string
  /** That action, part by part, each bound by the digest; null for a request from before parts were kept. */
  subject: Subject | null
  /** What the action would change, as a unified diff; null where it names no content. */
  diff: string | null
  requester: string
  session_id: string | null
  status: ApprovalStatus
  created_at: string
  expires_at: string
  /** How many persons must approve. */
  needed: number
  votes: Vote[]
  resolved_at: string | null
  resolved_by: string | null
  comment: string | null
  consumed_at: string | null
}
