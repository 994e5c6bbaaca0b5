import { type } from 'arktype'
import { defineOperation } from '../../operation.ts'
import { APPROVAL_STATUSES } from '../../state/records.ts'
import { approvalOf } from '../approvals.ts'
import { deskOf } from '../desk.ts'
import { ApprovalId } from '../record-schema.ts'

export default defineOperation({
  id: 'governance.approval-status',
  summary: 'Tell how an approval request stands.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: 'approval-status <id>',
  rest: 'GET /api/approvals/{id}/status',
  mcp: null,
  input: type({ id: ApprovalId, '+': 'reject' }),
  output: type({
    id: 'string',
    status: type.enumerated(...APPROVAL_STATUSES),
    expires_at: 'string',
    resolved_by: 'string | null',
    comment: 'string | null',
  }),

  async run({ id }, context) {
    const { state } = await deskOf(context)
    const approval = state.read(reader => approvalOf(reader, id))
    const { status, expires_at, resolved_by, comment } = approval
    return { id, status, expires_at, resolved_by, comment }
  },

  text: ({ id, status, resolved_by, comment }) =>
    `${id} is ${status}${resolved_by ? ` by ${resolved_by}` : ''}${comment ? `: ${comment}` : ''}.`,
})
