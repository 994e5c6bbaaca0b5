import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request and what was answered, as they were on the wire. */
export interface Seen {
  method: string
  /** Path with query. */
  url: string
  headers: Record<string, string>
  body: unknown
  status: number
  answer: unknown
}

/** What goes wrong with a request. */
export type Fault =
  /** Answered with this status instead of being carried out. */
  | { status: number; headers?: Record<string, string>; body?: unknown }
  /** The connection breaks before it is carried out, or after it but before the answer. */
  | { cut: 'before' | 'after' }
  /** Carried out and answered after so many milliseconds. */
  | { slow: number }

export interface Request {
  method: string
  path: string
  query: URLSearchParams
  headers: Record<string, string>
  body: Record<string, unknown>
}

export interface Answer {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

/** A provider's state and how it answers. */
export type Route = [method: string, pattern: RegExp, answer: (request: Request, ...parts: string[]) => Answer]

/** A running stand-in. */
export interface StandIn {
  url: string
  host: string
  seen: Seen[]
  /** Asked for each request; undefined where nothing goes wrong. */
  fail: (request: Request) => Fault | undefined
  /** Answers what is no request of the API, such as git's; true where it did. */
  other?: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean
  close(): Promise<void>
}

/** Starts a server on a free port of the loopback; closed after the test. */
export async function startStandIn(routes: readonly Route[], prefix = ''): Promise<StandIn> {
  const standIn: StandIn = { url: '', host: '', seen: [], fail: () => undefined, close: async () => {} }
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing))

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (standIn.other?.(incoming, outgoing)) return
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    const { pathname, searchParams } = new URL(incoming.url!, 'http://localhost')
    const request: Request = {
      method: incoming.method!,
      path: pathname.slice(prefix.length),
      query: searchParams,
      headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {},
    }
    const fault = standIn.fail(request)
    if (fault && 'cut' in fault && fault.cut === 'before') return void incoming.socket.destroy()
    const answer = fault && 'status' in fault ? { body: { message: 'failed' }, ...fault } : carryOut(request)
    if (fault && 'cut' in fault) return void incoming.socket.destroy()
    if (fault && 'slow' in fault) await new Promise(resolve => setTimeout(resolve, fault.slow))
    standIn.seen.push({
      method: request.method,
      url: incoming.url!,
      headers: request.headers,
      body: text === '' ? undefined : request.body,
      status: answer.status,
      answer: answer.body,
    })
    outgoing.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8', ...answer.headers })
    outgoing.end(answer.body === undefined ? '' : JSON.stringify(answer.body))
  }

  function carryOut(request: Request): Answer {
    for (const [method, pattern, answer] of routes) {
      const match = method === request.method && pattern.exec(request.path)
      if (match) return answer(request, ...match.slice(1))
    }
    return { status: 404, body: { message: 'Not Found' } }
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  standIn.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  standIn.url = `http://${standIn.host}${prefix}`
  standIn.close = () =>
    new Promise(resolve => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  try {
    onTestFinished(() => standIn.close())
  } catch {
    // Started outside of a test: whoever starts it closes it.
  }
  return standIn
}

/** One page of a list, by `page` and `per_page`, with the addresses of the others in Link as GitHub and GitLab give them. */
export function pageOf<T>(items: readonly T[], { query, path }: Request, url: string): { items: T[]; link?: string } {
  const size = Math.min(Number(query.get('per_page') ?? 30), 100)
  const page = Number(query.get('page') ?? 1)
  const last = Math.max(1, Math.ceil(items.length / size))
  const address = (to: number) => {
    const next = new URLSearchParams(query)
    next.set('page', String(to))
    return `${url}${path}?${next}`
  }
  const found = items.slice((page - 1) * size, page * size)
  return page < last
    ? { items: found, link: `<${address(page + 1)}>; rel="next", <${address(last)}>; rel="last"` }
    : { items: found }
}
