import { type } from 'arktype'
import { TRUST_LEVELS } from '../sources/config/values.ts'
import { DECISIONS, METHODS } from '../sources/state/entry.ts'
import { APPROVAL_STATUSES, APPROVAL_TYPES, GRANT_STATUSES, SESSION_STATUSES } from '../sources/state/records.ts'

/** Schemas of the records for operations; the promise of each field stands at its interface (engine/sources/state/records.ts). */
export const TrustType = type
  .enumerated(...TRUST_LEVELS)
  .configure({ description: `a trust level (${TRUST_LEVELS.join(', ')})` }, 'self')

export const MethodType = type.enumerated(...METHODS)
export const DecisionType = type.enumerated(...DECISIONS)

const Time = type('string').or('null')

export const ActorType = type({
  agent: 'string',
  method: MethodType,
  session_id: 'string | null',
  trust_level: TrustType,
})

/** Whom a freeze means: one name, or all. */
export const FrozenInputType = type({
  'name?': type('string > 0').describe('an agent name, registered or not'),
  all: type('boolean').describe('true to select all agents').default(false),
  '+': 'reject',
})

export const AgentType = type({
  name: 'string',
  scopes: 'string[]',
  created_at: 'string',
  expires_at: Time,
  revoked_at: Time,
  status: "'valid' | 'expired' | 'revoked'",
  frozen: 'boolean',
  trust_level: TrustType,
})

export const SessionType = type({
  id: 'string',
  agent: 'string',
  intent: 'string',
  authorized_paths: 'string[]',
  work_item: 'string | null',
  status: type.enumerated(...SESSION_STATUSES),
  git_sha: 'string | null',
  branch: 'string | null',
  created_at: 'string',
  expires_at: 'string',
  ended_at: Time,
  parent_id: 'string | null',
  trust_level: TrustType,
  files_touched: 'string[]',
  violations: type({
    path: 'string',
    action: 'string',
    at: 'string',
    decision: "'recorded' | 'refused' | 'pending' | 'approved'",
  }).array(),
  zones_touched: 'string[]',
  findings_new: 'number.integer',
})

export const DelegationType = type({
  id: 'string',
  parent_id: 'string',
  session_id: 'string',
  agent: 'string',
  task: 'string',
  trust_level: TrustType,
  paths: 'string[]',
  depth: 'number.integer',
  status: "'active' | 'revoked' | 'expired' | 'done'",
  created_at: 'string',
  expires_at: 'string',
  ended_at: Time,
})

export const GrantType = type({
  id: 'string',
  scope: 'string',
  agent: 'string',
  session_id: 'string | null',
  reason: 'string',
  status: type.enumerated(...GRANT_STATUSES),
  ttl_seconds: 'number.integer',
  requested_at: 'string',
  granted_at: Time,
  expires_at: Time,
  granted_by: 'string | null',
  approval_id: 'string | null',
  uses: 'number.integer',
  max_uses: 'number.integer | null',
  ended_at: Time,
})

export const ApprovalTypeType = type
  .enumerated(...APPROVAL_TYPES)
  .configure({ description: `a type of approval (${APPROVAL_TYPES.join(', ')})` }, 'self')

/** The parts of an action that an approval is bound to. */
const SubjectType = type({
  tool: type('string').describe("the operation, or the agent's tool"),
  paths: type('string[]').describe('the paths it writes, from the repository root'),
  content: type('string').describe('the SHA-256 of the whole tool input'),
  command: type('string').describe('the command line, if the tool runs one').or('null'),
  directory: type('string').describe('the working directory, from the repository root'),
})

export const ApprovalType = type({
  id: 'string',
  type: ApprovalTypeType,
  title: 'string',
  context: 'string',
  subject_digest: type('string').describe('the SHA-256 of the exact action to approve'),
  subject: SubjectType.or('null'),
  diff: type('string').describe('what the action would change, as a unified diff').or('null'),
  requester: 'string',
  session_id: 'string | null',
  status: type.enumerated(...APPROVAL_STATUSES),
  created_at: 'string',
  expires_at: 'string',
  needed: 'number.integer',
  votes: type({ by: 'string', action: "'approved' | 'rejected'", comment: 'string', at: 'string' }).array(),
  resolved_at: Time,
  resolved_by: 'string | null',
  comment: 'string | null',
  consumed_at: Time,
})

export const EntryType = type({
  seq: 'number.integer',
  at: 'string',
  action: 'string',
  surface: "'cli' | 'mcp' | 'rest'",
  actor: ActorType,
  target: 'string',
  decision: DecisionType,
  details: 'object',
  policy_digest: 'string',
  prev_hash: 'string',
  _integrity: 'string',
  'tampered?': type('boolean').describe('true if its signature is invalid'),
})

/** Ids of the records, as inputs. */
/** A glob of paths that a task may change. */
export const PathGlob = type('0 < string <= 1000')

export const SessionId = type(/^TS-[0-9a-f]{12}$/).describe('the id of a task session (TS-…)')
export const GrantId = type(/^GR-[0-9a-f]{12}$/).describe('the id of a grant (GR-…)')
export const ApprovalId = type(/^AP-[0-9a-f]{12}$/).describe('the id of an approval request (AP-…)')

/** Seconds, up to a year. */
export const Seconds = (what: string) =>
  type('1 <= number.integer <= 31536000').describe(`seconds ${what}, 1 to 31536000`)
