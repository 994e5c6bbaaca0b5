import { type } from 'arktype'
import { readEntriesAfter, readLatestEntries } from '../../audit/log.ts'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { EntryType } from '../../governance/record-schema.ts'
import { waitFor } from '../../governance/wait.ts'
import { Limit } from '../../sources/store/run-schema.ts'

/** What agents did, newest first; to a client that asks for an event stream, each entry as it is written until it leaves. */
export default defineOperation({
  id: 'governance.agents-activity',
  summary: 'Show the latest activity of agents, or stream it as text/event-stream.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: null,
  rest: 'GET /api/agents/activity',
  mcp: null,
  streams: 'asked',
  input: type({
    limit: Limit(500, 50),
    live: type('boolean').describe('true to wait for further activity; for event streams').default(false),
    '+': 'reject',
  }),
  output: type({ entries: EntryType.array(), last_seq: 'number.integer' }),

  async run({ limit, live }, context) {
    // Who goes on looking must see the records that others begin meanwhile.
    if (live) context.reads = false
    const { state, root } = await openGovernance(context)
    const entries = readLatestEntries(state, limit)
    let last = entries[0]?.seq ?? 0
    for (const entry of [...entries].reverse()) context.emit({ type: 'entry', entry })
    while (live && !context.signal.aborted) {
      const fresh = await waitFor(
        root,
        () => {
          const found = readEntriesAfter(state, last)
          return found.length > 0 ? found : undefined
        },
        { signal: context.signal },
      )
      for (const entry of fresh ?? []) context.emit({ type: 'entry', entry })
      last = fresh?.at(-1)?.seq ?? last
    }
    return { entries, last_seq: last }
  },

  text: ({ entries }) =>
    entries.map(({ at, actor, action, target }) => `${at} ${actor.agent} ${action} ${target}`).join('\n'),
})
