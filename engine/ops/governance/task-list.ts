import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { OPEN } from '../../governance/chain.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { SessionType } from '../../governance/record-schema.ts'
import { formatSession, hideInternals } from '../../governance/text.ts'
import { SESSION_STATUSES } from '../../sources/state/records.ts'
import { Limit } from '../../sources/store/run-schema.ts'

export default defineOperation({
  id: 'governance.task-list',
  summary: 'List the open task sessions, or all of them.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: 'task-list',
  rest: 'GET /api/task-sessions',
  mcp: null,
  input: type({
    all: type('boolean').describe('true to include ended sessions').default(false),
    'status?': type
      .enumerated(...SESSION_STATUSES)
      .configure({ description: `a status (${SESSION_STATUSES.join(', ')})` }, 'self'),
    'agent?': type('string > 0').describe('the name of an agent'),
    limit: Limit(1000, 100),
    '+': 'reject',
  }),
  output: type({ sessions: SessionType.array(), total: 'number.integer' }),
  examples: [['svc task-list --status violated', 'list sessions with scope violations']],

  async run({ all, status, agent, limit }, context) {
    const { state } = await openGovernance(context)
    const where = `${status || all ? 'status = coalesce(?, status)' : `${OPEN} AND ? IS NULL`} AND agent = coalesce(?, agent)`
    const wanted = [status ?? null, agent ?? null] as const
    return state.read(reader => ({
      sessions: reader
        .find('sessions', `${where} ORDER BY created_at DESC, rowid DESC LIMIT ?`, ...wanted, limit)
        .map(hideInternals),
      total: reader.count('sessions', where, ...wanted),
    }))
  },

  text: ({ sessions }, view) =>
    sessions.length > 0 ? sessions.flatMap(session => formatSession(session, view)).join('\n') : 'No open sessions.',
})
