import { EngineError } from '../../../base/errors.ts'
import { classifyStatus, cleanText, ProviderFailure } from '../failure.ts'
import type { Token } from '../tokens.ts'
import { LONGEST_WAIT, type Transport } from '../transport.ts'

/** Requests to GitHub by Octokit, with failures as ProviderFailure. */
export interface Session {
  /** One request. `once` for what must not be sent again where nothing tells whether it was carried out. */
  ask(route: string, parameters: Record<string, unknown>, options?: { once?: boolean }): Promise<unknown>
  /** Every page of a list. */
  list(route: string, parameters: Record<string, unknown>): Promise<Record<string, unknown>[]>
  /** The answer's headers and status, whatever the status. */
  probe(
    route: string,
    parameters: Record<string, unknown>,
  ): Promise<{ status: number; headers: Headers; data: unknown }>
}

/** Groups of requests that Octokit paces. */
const GROUPS = ['global', 'write', 'notifications', 'search']
/** Retries of a request that was limited. */
const MOST_RETRIES = 3
/** A list is not read further: 100 entries a page. */
const MOST_PAGES = 300

/** Opens a session: throttled as GitHub asks, with its pauses shortened by the transport's pace. */
export async function openSession(base_url: string, token: Token, transport: Transport): Promise<Session> {
  const { Octokit, paginateRest, retry, throttling } = await import('./library.ts')
  const { pace } = transport
  const waits = (seconds: number, _: unknown, __: unknown, count: number) =>
    seconds <= LONGEST_WAIT && count < MOST_RETRIES
  // Without a pace of its own a group has the pauses that GitHub asks of whoever writes.
  const immediate = {
    key: () => ({ schedule: (_: unknown, work: (...args: unknown[]) => unknown, ...args: unknown[]) => work(...args) }),
  }
  const Client = Octokit.plugin(throttling, retry, paginateRest)
  const client = new Client({
    auth: token.value,
    baseUrl: base_url,
    userAgent: 'svc',
    log: { debug() {}, info() {}, warn() {}, error() {} },
    request: { fetch: transport.fetch, signal: transport.signal },
    throttle: {
      onRateLimit: waits as never,
      onSecondaryRateLimit: waits as never,
      retryAfterBaseValue: 1000 * pace,
      ...(pace < 1 && (Object.fromEntries(GROUPS.map(name => [name, immediate])) as object)),
    },
    retry: { retryAfterBaseValue: 1000 * pace },
  })

  const guarded = async <T>(route: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw describeFailure(error, route, transport)
    }
  }

  return {
    ask: (route, parameters, { once = false } = {}) =>
      guarded(route, async () => {
        const answer = await client.request(route, { ...parameters, ...(once && { request: { retries: 0 } }) })
        return answer.data
      }),
    list: (route, parameters) =>
      guarded(route, async () => {
        const found: Record<string, unknown>[] = []
        let pages = 0
        for await (const { data } of client.paginate.iterator(route, { per_page: 100, ...parameters })) {
          found.push(...(data as Record<string, unknown>[]))
          if (++pages >= MOST_PAGES)
            throw new ProviderFailure('invalid', `GitHub's list ${route} has more than ${MOST_PAGES} pages.`)
        }
        return found
      }),
    probe: (route, parameters) =>
      guarded(route, async () => {
        try {
          const { status, headers, data } = await client.request(route, { ...parameters, request: { retries: 0 } })
          return { status, headers: toHeaders(headers), data }
        } catch (error) {
          const { status, response } = error as { status?: number; response?: { headers: object; data: unknown } }
          if (!response || status === undefined || status >= 500) throw error
          return { status, headers: toHeaders(response.headers), data: response.data }
        }
      }),
  }
}

function toHeaders(headers: object): Headers {
  return new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]))
}

function describeFailure(error: unknown, route: string, { redact, signal }: Transport): Error {
  if (error instanceof EngineError) return error
  if (signal.aborted) return new EngineError('INTERRUPTED', 'The work was interrupted.')
  const { status, message, response } = error as {
    status?: number
    message?: string
    response?: { headers?: Record<string, string>; data?: { errors?: unknown; message?: string } }
  }
  const said = redact(cleanText(String(response?.data?.message ?? message ?? error)))
  // Octokit gives a broken connection the status 500.
  if (!response) return new ProviderFailure('unavailable', `GitHub gave no answer to ${route}: ${said}`)
  const isLimited =
    status === 429 ||
    /secondary rate/i.test(said) ||
    (status === 403 && response.headers?.['x-ratelimit-remaining'] === '0')
  const kind = isLimited ? 'limited' : classifyStatus(status)
  return new ProviderFailure(
    kind,
    `GitHub answered ${route} with ${status}: ${said}`,
    status === undefined ? {} : { status },
  )
}
