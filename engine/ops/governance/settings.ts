import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { isActive } from '../../governance/policy.ts'
import { ActorType } from '../../governance/record-schema.ts'
import { CONFIG } from '../../sources/config/schema.ts'

export default defineOperation({
  id: 'governance.settings',
  summary: 'Show the effective governance settings, and your identity.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: null,
  rest: 'GET /api/governance',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    settings: CONFIG.out.get('governance'),
    active: type('boolean').describe('whether any governance control is enabled'),
    policy_digest: 'string',
    actor: ActorType,
  }),

  async run(_input, context) {
    const { policy, acting, actor } = await openGovernance(context)
    return { settings: policy, active: isActive(policy), policy_digest: acting.policy_digest, actor }
  },

  text: ({ settings }) => JSON.stringify(settings, null, 2),
})
