import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { OPEN } from '../../governance/chain.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { SessionType } from '../../governance/record-schema.ts'
import { formatSession, hideInternals } from '../../governance/text.ts'

export default defineOperation({
  id: 'governance.agents-active',
  summary: 'List the active agents with their open sessions.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: null,
  rest: 'GET /api/agents/active',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({ agents: type({ agent: 'string', sessions: SessionType.array() }).array(), total: 'number.integer' }),

  async run(_input, context) {
    const { state } = await openGovernance(context)
    const open = state.read(reader => reader.find('sessions', `${OPEN} ORDER BY agent, created_at`))
    const names = [...new Set(open.map(({ agent }) => agent))]
    return {
      agents: names.map(agent => ({
        agent,
        sessions: open.filter(session => session.agent === agent).map(hideInternals),
      })),
      total: names.length,
    }
  },

  text: ({ agents }, view) =>
    agents.flatMap(({ sessions }) => sessions.flatMap(s => formatSession(s, view))).join('\n'),
})
