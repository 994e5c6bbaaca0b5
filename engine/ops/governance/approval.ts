import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { getApproval } from '../../governance/approvals.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { ApprovalId, ApprovalType } from '../../governance/record-schema.ts'
import { formatApproval } from '../../governance/text.ts'

export default defineOperation({
  id: 'governance.approval',
  summary: 'Show an approval request with its decisions.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: null,
  rest: 'GET /api/approvals/{id}',
  mcp: null,
  input: type({ id: ApprovalId, '+': 'reject' }),
  output: ApprovalType,

  async run({ id }, context) {
    const { state } = await openGovernance(context)
    const approval = state.read(reader => getApproval(reader, id))
    return approval
  },

  text: (approval, view) => formatApproval(approval, view).join('\n'),
})
