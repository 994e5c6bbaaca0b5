import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { awaitAnswer, toExitCode } from '../../governance/answered.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { ApprovalId, ApprovalType, Seconds } from '../../governance/record-schema.ts'
import { formatApproval } from '../../governance/text.ts'

export default defineOperation({
  id: 'governance.wait-approval',
  summary: 'Wait for the decision on a request: exit 0 if approved, 1 if rejected, 2 if timed out or expired.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: 'wait-approval <id>',
  rest: null,
  mcp: null,
  input: type({ id: ApprovalId, 'timeout?': Seconds('to wait for the decision'), '+': 'reject' }),
  output: ApprovalType,
  examples: [['svc wait-approval AP-0123456789ab --timeout 900', 'wait for 15 minutes']],

  async run({ id, timeout }, context) {
    return awaitAnswer(await openGovernance(context), id, timeout, context.signal)
  },

  text: (approval, view) => formatApproval(approval, view).join('\n'),

  exit: ({ status }) => toExitCode(status),
})
