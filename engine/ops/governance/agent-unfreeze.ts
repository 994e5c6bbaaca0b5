import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { describeTarget, unfreeze } from '../../governance/agents.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { FrozenInputType } from '../../governance/record-schema.ts'

export default defineOperation({
  id: 'governance.agent-unfreeze',
  summary: 'Unfreeze one agent or all agents.',
  effect: 'write',
  action: 'grant_scope',
  cli: 'agent-unfreeze [name]',
  rest: 'POST /api/agents/unfreeze',
  mcp: null,
  input: FrozenInputType,
  output: type({ name: type('string').describe("the agent's name, or * for all agents"), frozen: 'boolean' }),

  async run(input, context) {
    const target = describeTarget(input)
    const { state, acting } = await openGovernance(context)
    state.write(acting, tx => unfreeze(tx, target))
    return { name: target, frozen: false }
  },

  text: ({ name }) => `${name === '*' ? 'Every agent is' : `${name} is`} not frozen any more.`,
})
