import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { getApproval } from '../../governance/approvals.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { ApprovalId, ApprovalType } from '../../governance/record-schema.ts'
import { formatAction } from '../../governance/text.ts'

export default defineOperation({
  id: 'governance.approval-status',
  summary: 'Show the status of an approval request.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: 'approval-status <id>',
  rest: 'GET /api/approvals/{id}/status',
  mcp: null,
  input: type({ id: ApprovalId, '+': 'reject' }),
  output: ApprovalType,
  examples: [['svc approval-status AP-0123456789ab', 'show the status of a request']],

  async run({ id }, context) {
    const { state } = await openGovernance(context)
    return state.read(reader => getApproval(reader, id))
  },

  text: (approval, view) => {
    const { id, status, resolved_by, comment } = approval
    const stands = `${id} is ${status}${resolved_by ? ` by ${resolved_by}` : ''}${comment ? `: ${comment}` : ''}.`
    return [stands, ...formatAction(approval, view)].join('\n')
  },
})
