import { type } from 'arktype'
import { defineOperation } from '../../operation.ts'
import { APPROVAL_STATUSES } from '../../state/records.ts'
import { Limit } from '../../store/run-schema.ts'
import { deskOf } from '../desk.ts'
import { ApprovalType, ApprovalTypeType } from '../record-schema.ts'
import { approvalLines } from '../text.ts'

export default defineOperation({
  id: 'governance.approvals',
  summary: 'List what waits for a person, or all approval requests.',
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

  async run({ status, type: kind, limit }, context) {
    const { state } = await deskOf(context)
    const approvals = state.read(reader =>
      reader.find(
        'approvals',
        'status = coalesce(?, status) AND type = coalesce(?, type) ORDER BY created_at DESC, rowid DESC LIMIT ?',
        status === 'all' ? null : status,
        kind ?? null,
        limit,
      ),
    )
    return { approvals, total: approvals.length }
  },

  text: ({ approvals }, view) =>
    approvals.length > 0
      ? approvals.flatMap(approval => approvalLines(approval, view)).join('\n')
      : 'Nothing waits for a person.',
})
