import { type } from 'arktype'
import { findEntries } from '../../audit/log.ts'
import { parseTime } from '../../audit/time.ts'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { DecisionType, EntryType } from '../../governance/record-schema.ts'
import { Cursor, Limit } from '../../sources/store/run-schema.ts'

export default defineOperation({
  id: 'audit.list',
  summary: 'List entries of the audit log, newest first, and flag tampered entries.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: 'audit list',
  rest: 'GET /api/audit',
  mcp: null,
  input: type({
    'action?': type('string > 0').describe('an action to filter by, such as task.bind or run_scan'),
    'agent?': type('string > 0').describe('the name of an agent'),
    'decision?': DecisionType.configure({ description: 'a decision (allowed, warned, refused, pending)' }, 'self'),
    'session?': type('string > 0').describe('the id of a task session'),
    'since?': type('string > 0').describe('an earliest date or time, such as 2025-01-31'),
    limit: Limit(1000, 50),
    'cursor?': Cursor,
    '+': 'reject',
  }),
  output: type({ entries: EntryType.array(), total: 'number.integer', 'next_cursor?': 'string' }),
  examples: [
    ['svc audit list --decision refused', 'list denied actions'],
    ['svc audit list --agent claude-code --since 2025-01-31', 'list the actions of one agent'],
  ],

  async run({ cursor, limit, since, ...wanted }, context) {
    const { state } = await openGovernance(context)
    const before = cursor === undefined ? undefined : entryOf(cursor)
    const entries = findEntries(state, {
      ...wanted,
      limit,
      before,
      ...(since !== undefined && { since: parseTime(since) }),
    })
    const more = entries.length === limit && entries.at(-1)!.seq > 1
    return { entries, total: state.head().seq, ...(more && { next_cursor: String(entries.at(-1)!.seq) }) }
  },

  text: ({ entries }, { paint }) =>
    entries.length === 0
      ? 'The log has no such entry.'
      : entries
          .map(({ seq, at, actor, action, target, decision, tampered }) => {
            const colour = decision === 'refused' ? 'red' : decision === 'allowed' ? 'dim' : 'yellow'
            const flag = tampered ? `${paint('red', 'TAMPERED')} ` : ''
            return `${flag}${paint('dim', `${seq} ${at.slice(0, 19)}`)} ${paint(colour, decision)} ${actor.agent} ${action} ${target}`
          })
          .join('\n'),
})

/** The entry that the page before ended with. */
function entryOf(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor)
  throw new EngineError(
    'INPUT_INVALID',
    `cursor must be the next_cursor of the page before, but was ${JSON.stringify(cursor.slice(0, 80))}.`,
    { hint: 'Omit the cursor to start with the newest entry.' },
  )
}
