import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { awaitAnswer, describeWaiting, toExitCode } from '../../governance/answered.ts'
import { computeSubjectDigest, requestApproval } from '../../governance/approvals.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { ApprovalType, ApprovalTypeType, Seconds } from '../../governance/record-schema.ts'
import { formatApproval } from '../../governance/text.ts'

export default defineOperation({
  id: 'governance.request-approval',
  summary: 'Request a human approval; with --wait, exit 0 if approved, 1 if rejected, 2 if unanswered.',
  effect: 'write',
  action: 'read_findings',
  unbound: true,
  cli: 'request-approval <type>',
  rest: null,
  mcp: null,
  input: type({
    type: ApprovalTypeType,
    title: type('string <= 500').describe('a one-line title of the action to approve').default(''),
    context: type('string <= 100000').describe('the context for the reviewer').default(''),
    approvers: type('1 <= number.integer <= 20').describe('the number of required approvers').default(1),
    wait: type('boolean').describe('true to wait for the decision').default(false),
    'timeout?': Seconds('to wait for the decision'),
    '+': 'reject',
  }),
  output: type({
    '...': ApprovalType,
    waited: type('boolean').describe('whether the command waited for the decision'),
  }),
  examples: [
    [
      'svc request-approval auto_patch --title "apply 3 fixes" --wait --timeout 600 --json',
      'request approval and wait for ten minutes',
    ],
  ],

  async run({ type: kind, title, context: words, approvers, wait, timeout }, context) {
    const governance = await openGovernance(context)
    const approval = governance.state.write(governance.acting, tx =>
      requestApproval(tx, {
        type: kind,
        title,
        context: words,
        subject_digest: computeSubjectDigest(kind, { title, context: words }),
        requester: governance.identity.agent,
        session_id: governance.session?.id ?? null,
        needed: approvers,
      }),
    )
    if (!wait) return { ...approval, waited: false }
    context.notice(describeWaiting(approval.id))
    return { ...(await awaitAnswer(governance, approval.id, timeout, context.signal)), waited: true }
  },

  text: (approval, view) => formatApproval(approval, view).join('\n'),

  exit: ({ status, waited }) => (waited ? toExitCode(status) : 0),
})
