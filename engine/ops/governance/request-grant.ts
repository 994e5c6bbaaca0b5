import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { describeWaiting } from '../../governance/answered.ts'
import { expireDue } from '../../governance/expiry.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { getGrant, requestGrant } from '../../governance/grants.ts'
import { GrantType, Seconds } from '../../governance/record-schema.ts'
import { grantLine } from '../../governance/text.ts'
import { waitFor } from '../../governance/wait.ts'

export default defineOperation({
  id: 'governance.request-grant',
  summary: 'Request a scope for a limited time; exit 1 if denied, 2 if pending.',
  effect: 'write',
  action: 'read_findings',
  unbound: true,
  cli: 'request-grant <scope>',
  rest: null,
  mcp: 'request_tool_grant',
  input: type({
    scope: type('string > 0').describe('a scope, such as config:write'),
    reason: type('string').describe('the reason for the request').default(''),
    'ttl?': Seconds('until the grant ends'),
    'uses?': type('1 <= number.integer <= 1000000').describe('uses until the grant ends'),
    wait: type('boolean').describe('true to wait for the decision of a reviewer').default(false),
    'timeout?': Seconds('to wait for the decision'),
    '+': 'reject',
  }),
  output: type({ grant: GrantType }),
  examples: [
    ['svc request-grant config:write --reason "raise the gate" --wait', 'request a grant and wait for the decision'],
  ],

  async run({ wait, timeout, ...ask }, context) {
    const governance = await openGovernance(context)
    const grant = governance.state.write(governance.acting, tx => requestGrant(tx, governance, ask))
    if (!wait || grant.status !== 'pending') return { grant }
    if (grant.approval_id) context.notice(describeWaiting(grant.approval_id))
    const look = () => {
      // An approval that expires denies the grant.
      expireDue(governance.state)
      const now = governance.state.read(reader => getGrant(reader, grant.id))
      return now.status === 'pending' ? undefined : now
    }
    const milliseconds = timeout === undefined ? undefined : timeout * 1000
    return { grant: (await waitFor(governance.root, look, { milliseconds, signal: context.signal })) ?? grant }
  },

  text: ({ grant }, view) => grantLine(grant, view),

  exit: ({ grant }) => (grant.status === 'active' ? 0 : grant.status === 'pending' ? 2 : 1),
})
