import { signal } from '@preact/signals'
import type { Answers } from './answers.gen.ts'

/** An entry of the audit log, as the activity tells it. */
export type Activity = Answers['GET /api/audit']['entries'][number]

/** `live`: told of what happens; `lost`: trying again; `off`: not listening, for the page is not seen or may not listen. */
export type Connection = 'live' | 'lost' | 'off'

/** Milliseconds until a connection that the server refused is tried again. */
const PAUSE = 30_000
/** Entries of activity that are kept. */
const KEPT = 500

export const connection = signal<Connection>('off')
export const pendingApprovals = signal<number>()
/** Newest first. */
export const activity = signal<readonly Activity[]>([])
/** The newest run that the server told of. */
export const newestRun = signal<string>()

let source: EventSource | undefined
let last: string | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** Listens while the page is seen: a browser has few connections to a server, and hidden tabs would take them all. */
export function listen(): void {
  document.addEventListener('visibilitychange', follow)
  follow()
}

function follow(): void {
  if (document.visibilityState === 'hidden') close('off')
  else if (!source) open()
}

function close(state: Connection): void {
  clearTimeout(timer)
  source?.close()
  source = undefined
  connection.value = state
}

function open(): void {
  source = new EventSource(
    last === undefined ? '/api/live' : `/api/live?${new URLSearchParams({ last_event_id: last })}`,
  )
  source.addEventListener('open', () => {
    connection.value = 'live'
  })
  source.addEventListener('error', () => {
    connection.value = 'lost'
    // Refused: the browser does not try again by itself.
    if (source?.readyState === EventSource.CLOSED) {
      close('lost')
      timer = setTimeout(follow, PAUSE)
    }
  })
  on('state', (state: { run?: { id: string } | null; pending_approvals: number }) => {
    pendingApprovals.value = state.pending_approvals
    newestRun.value = state.run?.id
  })
  on('run', (run: { id: string } | null) => {
    newestRun.value = run?.id
  })
  on('approvals', ({ pending }: { pending: number }) => {
    pendingApprovals.value = pending
  })
  on('activity', (entry: Activity) => {
    activity.value = [entry, ...activity.value].slice(0, KEPT)
  })
}

function on<T>(topic: string, act: (data: T) => void): void {
  source!.addEventListener(topic, event => {
    const { data, lastEventId } = event as MessageEvent<string>
    last = lastEventId || last
    act(JSON.parse(data) as T)
  })
}
