import { type } from 'arktype'
import { defineOperation } from '../../operation.ts'
import { approvalOf } from '../approvals.ts'
import { deskOf } from '../desk.ts'
import { ApprovalId, ApprovalType } from '../record-schema.ts'
import { approvalLines } from '../text.ts'

export default defineOperation({
  id: 'governance.approval',
  summary: 'Show one approval request with the answers to it.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: null,
  rest: 'GET /api/approvals/{id}',
  mcp: null,
  input: type({ id: ApprovalId, '+': 'reject' }),
  output: ApprovalType,

  async run({ id }, context) {
    const { state } = await deskOf(context)
    const approval = state.read(reader => approvalOf(reader, id))
    return approval
  },

  text: (approval, view) => approvalLines(approval, view).join('\n'),
})
