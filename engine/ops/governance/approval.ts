import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { approvalOf } from '../../governance/approvals.ts'
import { deskOf } from '../../governance/desk.ts'
import { ApprovalId, ApprovalType } from '../../governance/record-schema.ts'
import { approvalLines } from '../../governance/text.ts'

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
