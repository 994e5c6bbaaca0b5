import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { giveGrant } from '../../governance/grants.ts'
import { GrantType, Seconds } from '../../governance/record-schema.ts'
import { grantLine } from '../../governance/text.ts'

export default defineOperation({
  id: 'governance.grant',
  summary: 'Grant a scope to a registered agent for a limited time.',
  effect: 'write',
  action: 'grant_scope',
  cli: 'grant <scope> <agent>',
  rest: null,
  mcp: null,
  input: type({
    scope: type('string > 0').describe('a scope, such as config:write'),
    agent: type('string > 0').describe('the name of a registered agent'),
    'ttl?': Seconds('until the grant ends'),
    'uses?': type('1 <= number.integer <= 1000000').describe('uses until the grant ends'),
    reason: type('string').describe('the reason for the grant').default(''),
    '+': 'reject',
  }),
  output: type({ grant: GrantType }),
  examples: [
    ['svc grant config:write builder --ttl 1800 --reason "update the CI settings"', 'grant a scope for 30 minutes'],
  ],

  async run({ agent, ...ask }, context) {
    const governance = await openGovernance(context)
    return { grant: governance.state.write(governance.acting, tx => giveGrant(tx, governance, agent, ask)) }
  },

  text: ({ grant }, view) => grantLine(grant, view),
})
