import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type } from 'arktype'
import { readEntriesAfter, readLatestEntries } from '../../audit/log.ts'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { stateExists } from '../../sources/state/local-folder.ts'
import type { State } from '../../sources/state/state.ts'
import { readLatestRun } from '../../sources/store/latest.ts'
import { resolveOutputDirectory } from '../../sources/store/output-directory.ts'

/** Milliseconds between two looks at the files of this machine; a page is told, and never asks. */
const LOOK = 1000
/** Pages that listen to one server at the same time. */
const MOST = 64
/** Of them, pages of one client. */
const MOST_OF_ONE = 16
/** Entries of activity that are told after a gap; what is older has to be asked for. */
const TOLD = 200

/** How things stand, as far as a page wants to be told of a change. */
interface Standing {
  run: string
  seq: number
  approvals: string
}

/** Pages that listen, by client. */
const listening = new Map<string, number>()

/**
 * What changes, as it changes: a run that was stored, approvals, activity. Each event's id says how things stood, so that a page that comes
 * back with Last-Event-ID is told exactly what it missed; the first event is always `state`.
 */
export default defineOperation({
  id: 'serve.live',
  summary: 'Stream runs, approvals and activity as they happen.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: null,
  rest: 'GET /api/live',
  mcp: null,
  streams: true,
  input: type({
    'last_event_id?': type('0 < string <= 200').describe('the id of the last event received, as in Last-Event-ID'),
    '+': 'reject',
  }),
  output: type({ reason: "'closed'" }),

  async run({ last_event_id }, context) {
    const client = context.caller?.client ?? ''
    const own = listening.get(client) ?? 0
    const all = [...listening.values()].reduce((sum, count) => sum + count, 0)
    if (all >= MOST || own >= MOST_OF_ONE)
      throw new EngineError(
        'RATE_LIMITED',
        all >= MOST
          ? `${MOST} pages listen to this server already.`
          : `${MOST_OF_ONE} pages of this client listen to this server already.`,
        { hint: 'Close some of them.' },
      )
    listening.set(client, own + 1)
    try {
      // Who goes on looking must see the records that others begin meanwhile.
      context.reads = false
      const root = findRepositoryRoot(context.cwd)
      const out = await resolveOutputDirectory(context)
      const openIfThere = async () => (stateExists(root) ? (await openGovernance(context)).state : undefined)
      const look = async (): Promise<{
        now: Standing
        state?: State
        pending: number
        run: ReturnType<typeof readLatestRun>
      }> => {
        const state = await openIfThere()
        const run = readLatestRun(out)
        const pending = state ? readPending(state) : { ids: [] }
        const seq = state ? (readLatestEntries(state, 1)[0]?.seq ?? 0) : 0
        const now = { run: run?.id ?? '-', seq, approvals: digest(pending.ids) }
        return { now, ...(state && { state }), pending: pending.ids.length, run }
      }
      const first = await look()
      const tell = (topic: string, at: Standing, data: unknown) =>
        context.emit({ type: 'live', id: formatStanding(at), topic, data })
      tell('state', first.now, { run: first.run, last_seq: first.now.seq, pending_approvals: first.pending })
      let known = parseStanding(last_event_id) ?? first.now
      let seen = first
      while (!context.signal.aborted) {
        const { now } = seen
        if (seen.state && now.seq !== known.seq) {
          const entries = readEntriesAfter(seen.state, Math.min(known.seq, now.seq))
          if (entries.length > TOLD) tell('gap', known, { entries: entries.length - TOLD })
          for (const entry of entries.slice(-TOLD)) tell('activity', { ...known, seq: entry.seq }, entry)
        }
        if (now.approvals !== known.approvals) tell('approvals', { ...now, run: known.run }, { pending: seen.pending })
        if (now.run !== known.run) tell('run', now, seen.run ?? null)
        known = now
        await setTimeout(LOOK, undefined, { signal: context.signal }).catch(() => {})
        if (!context.signal.aborted) seen = await look()
      }
      return { reason: 'closed' as const }
    } finally {
      const left = listening.get(client)! - 1
      if (left > 0) listening.set(client, left)
      else listening.delete(client)
    }
  },

  text: () => '',
})

function readPending(state: State): { ids: string[] } {
  return state.read(reader => ({
    ids: reader
      .find('approvals', "status = 'pending' ORDER BY created_at DESC, rowid DESC LIMIT ?", 1000)
      .map(({ id }) => id),
  }))
}

function digest(ids: readonly string[]): string {
  return createHash('sha256').update(ids.join(' ')).digest('hex').slice(0, 12)
}

function formatStanding({ run, seq, approvals }: Standing): string {
  return `${run},${seq},${approvals}`
}

/** What an event's id says; undefined for what is none: then nothing is known to have been missed. */
function parseStanding(id: string | undefined): Standing | undefined {
  const parts = /^([\w.-]+),(\d{1,15}),([0-9a-f]{12})$/.exec(id ?? '')
  return parts ? { run: parts[1]!, seq: Number(parts[2]), approvals: parts[3]! } : undefined
}
