import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { revokeAgent } from '../../governance/agents.ts'
import { openGovernance } from '../../governance/governance-session.ts'

export default defineOperation({
  id: 'governance.agent-revoke',
  summary: "Revoke an agent's credential, and end its open sessions and grants.",
  effect: 'destroy',
  action: 'grant_scope',
  cli: 'agent-revoke <name>',
  rest: null,
  mcp: null,
  input: type({ name: type('string > 0').describe('the name of a registered agent'), '+': 'reject' }),
  output: type({
    name: 'string',
    revoked_at: 'string',
    sessions: type('string[]').describe('the sessions that were ended'),
  }),
  examples: [['svc agent-revoke builder', 'revoke the credential of an agent']],

  async run({ name }, context) {
    const { state, acting, policy } = await openGovernance(context)
    const { agent, sessions } = state.write(acting, tx => revokeAgent(tx, name, policy.trust_chain.cascade_revocation))
    return { name, revoked_at: agent.revoked_at!, sessions }
  },

  text: ({ name, sessions }) =>
    `The credential of ${name} is revoked${sessions.length > 0 ? `, and with it ${sessions.join(', ')}` : ''}.`,
})
