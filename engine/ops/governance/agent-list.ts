import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { AgentType } from '../../governance/record-schema.ts'
import { readAgentStatus } from '../../governance/status.ts'
import { formatAgent } from '../../governance/text.ts'

export default defineOperation({
  id: 'governance.agent-list',
  summary: 'List the registered agents with their scopes, trust level and status.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: 'agent-list',
  rest: 'GET /api/agents',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    agents: AgentType.array(),
    frozen: type('string[]').describe('names of frozen agents; * means all'),
  }),
  examples: [
    ['svc agent-list', 'list the agents with their scopes and state'],
    ['svc agent-list --json', 'print the list as JSON'],
  ],

  async run(_input, context) {
    const { state, policy } = await openGovernance(context)
    return state.read((reader, at) => ({
      agents: reader.find('agents', '1 ORDER BY name').map(agent => readAgentStatus(reader, at, agent, policy)),
      frozen: reader.find('frozen', '1 ORDER BY name').map(({ name }) => name),
    }))
  },

  text: ({ agents, frozen }, view) =>
    [
      ...(agents.length > 0 ? agents.map(agent => formatAgent(agent, view)) : ['No agent is registered.']),
      ...(frozen.includes('*') ? [view.paint('blue', 'Everybody is frozen.')] : []),
    ].join('\n'),
})
