import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { describeTarget, freeze } from '../../governance/agents.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { FrozenInputType } from '../../governance/record-schema.ts'

export default defineOperation({
  id: 'governance.agent-freeze',
  summary: 'Freeze one agent or all agents; every further action is denied.',
  effect: 'write',
  action: 'grant_scope',
  cli: 'agent-freeze [name]',
  rest: 'POST /api/agents/freeze',
  mcp: null,
  input: FrozenInputType,
  output: type({ name: type('string').describe("the agent's name, or * for all agents"), frozen: 'boolean' }),

  async run(input, context) {
    const target = describeTarget(input)
    const { state, acting, identity } = await openGovernance(context)
    state.write(acting, tx => freeze(tx, target, identity.agent))
    return { name: target, frozen: true }
  },

  text: ({ name }) => `${name === '*' ? 'Every agent is' : `${name} is`} frozen.`,
})
