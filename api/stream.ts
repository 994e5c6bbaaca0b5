import { Readable } from 'node:stream'

/** Milliseconds between two comments that keep an idle connection open. */
const HEARTBEAT = 15_000
/** Milliseconds between two progress events. */
const PROGRESS_INTERVAL = 100
/** Events that wait for a slow client; what goes past them is only in the stored run, or in the log. */
const PENDING = 10_000

/** A stream of server-sent events (HTML Standard, "Server-sent events"). */
export interface EventStream {
  readable: Readable
  /** Queues an event; never blocks and never grows without bound. */
  send(event: string, data: unknown, id?: string): void
  /** Queues the last event. */
  end(event: string, data: unknown): void
}

/**
 * An event stream that never outruns its client: text is handed on only as it is asked for, progress is kept as the latest
 * figure only, and events past `pending` are left out with a comment that says how many.
 */
export function openEventStream({ heartbeat = HEARTBEAT, pending = PENDING } = {}): EventStream {
  const queue: string[] = []
  let progress: unknown
  let left = 0
  let wanted = false
  let ended = false

  const readable = new Readable({
    read() {
      wanted = true
      drain()
    },
    destroy(error, done) {
      clearInterval(beat)
      clearInterval(pace)
      queue.length = 0
      done(error)
    },
  })
  const beat = setInterval(() => wanted && put(': alive\n\n'), heartbeat)
  const pace = setInterval(flushProgress, PROGRESS_INTERVAL)

  function drain(): void {
    while (wanted && queue.length > 0) wanted = readable.push(queue.shift())
    if (wanted && left > 0) wanted = readable.push(`: ${takeLeft()} events dropped, the client was too slow\n\n`)
    if (wanted && ended) readable.push(null)
  }

  function takeLeft(): number {
    const count = left
    left = 0
    return count
  }

  function put(text: string): void {
    if (readable.destroyed) return
    queue.push(text)
    drain()
  }

  /** Only a client that keeps up gets progress: an old figure is worth nothing. */
  function flushProgress(): void {
    if (progress === undefined || queue.length > 0 || ended) return
    put(frame('progress', progress))
    progress = undefined
  }

  return {
    readable,
    send(event, data, id) {
      if (ended) return
      if (event === 'progress') progress = data
      else if (queue.length >= pending) left++
      else put(frame(event, data, id))
    },
    end(event, data) {
      if (ended) return
      if (progress !== undefined) queue.push(frame('progress', progress))
      clearInterval(beat)
      clearInterval(pace)
      ended = true
      put(frame(event, data))
    },
  }
}

/** JSON has no line break of its own, so one data line holds it. */
function frame(event: string, data: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
