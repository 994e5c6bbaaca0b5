import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { ApprovalType, ApprovalTypeType } from '../../governance/record-schema.ts'
import { formatApproval } from '../../governance/text.ts'
import { APPROVAL_STATUSES } from '../../sources/state/records.ts'
import { Limit } from '../../sources/store/run-schema.ts'

export default defineOperation({
  id: 'governance.approvals',
  summary: 'List pending approval requests, or all of them.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: 'approvals',
  rest: 'GET /api/approvals',
  mcp: null,
  input: type({
    status: type
      .enumerated(...APPROVAL_STATUSES, 'all')
      .configure({ description: `a status (${APPROVAL_STATUSES.join(', ')}) or all` }, 'self')
      .default('pending'),
    'type?': ApprovalTypeType,
    limit: Limit(1000, 100),
    '+': 'reject',
  }),
  output: type({ approvals: ApprovalType.array(), total: 'number.integer' }),
  examples: [
    ['svc approvals', 'list pending requests'],
    ['svc approvals --status all --json', 'print all requests as JSON'],
  ],

  async run({ status, type: kind, limit }, context) {
    const { state } = await openGovernance(context)
    const where = 'status = coalesce(?, status) AND type = coalesce(?, type)'
    const wanted = [status === 'all' ? null : status, kind ?? null] as const
    return state.read(reader => ({
      approvals: reader.find('approvals', `${where} ORDER BY created_at DESC, rowid DESC LIMIT ?`, ...wanted, limit),
      total: reader.count('approvals', where, ...wanted),
    }))
  },

  text: ({ approvals }, view) =>
    approvals.length > 0
      ? approvals.flatMap(approval => formatApproval(approval, view)).join('\n')
      : 'No pending approval requests.',
})
