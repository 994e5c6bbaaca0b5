import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { resolveApproval } from '../../governance/approvals.ts'
import { openGovernance, requirePerson } from '../../governance/governance-session.ts'
import { ApprovalId, ApprovalType } from '../../governance/record-schema.ts'
import { formatApproval } from '../../governance/text.ts'

/** A person's answer. No agent's credential, whatever its trust, and no process below an agent can give it. */
export default defineOperation({
  id: 'governance.approve',
  summary: 'Approve or reject a request, as a human user other than the requester.',
  effect: 'write',
  action: 'resolve_approval',
  unbound: true,
  cli: 'approve <id>',
  rest: 'PATCH /api/approvals/{id}',
  mcp: null,
  input: type({
    id: ApprovalId,
    'action?': type("'approved' | 'rejected'").configure(
      { description: 'approved or rejected; required, except on the command line (default there: approved)' },
      'self',
    ),
    comment: type('string <= 10000').describe('the reason for the decision').default(''),
    '+': 'reject',
  }),
  output: ApprovalType,
  examples: [
    ['svc approve AP-0123456789ab --comment "looked at the diff"', 'approve a request'],
    ['svc approve AP-0123456789ab --action rejected', 'reject a request'],
  ],

  check({ action }, { surface }) {
    // The name of the command says it; a request without it is no consent.
    if (action === undefined && surface !== 'cli')
      throw new EngineError('INPUT_INVALID', 'action is required.', { hint: 'Send approved or rejected as `action`.' })
  },

  async run({ id, action = 'approved', comment }, context) {
    const governance = await openGovernance(context)
    requirePerson(governance, 'Resolving an approval')
    return governance.state.write(governance.acting, tx =>
      resolveApproval(tx, id, { by: governance.identity.agent, action, comment }),
    )
  },

  text: (approval, view) => formatApproval(approval, view).join('\n'),
})
