import { setTimeout as wait } from 'node:timers/promises'
import { EngineError } from '../../base/errors.ts'
import { redactCredentials } from '../../base/text/credentials.ts'
import { VERSION } from '../../base/version.ts'

/** How requests are made; the defaults are for a user, tests shorten the times. */
export interface HttpOptions {
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** Tries of one request before it has failed. */
  attempts?: number
  /** The longest pause before the second try; it doubles with each further one. */
  pauseMs?: number
  /** Time for the answer's head, and between two pieces of its body. */
  timeoutMs?: number
}

/** What a request ended with after all tries. */
export class HttpFailure extends Error {
  override name = 'HttpFailure'
  /** The last status; undefined where there was no answer, or none that can be read. */
  readonly status: number | undefined
  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

/** An answer with its body read whole. */
export interface HttpAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

export interface HttpRequest {
  method: 'GET' | 'POST'
  url: string
  body?: string
  headers?: Record<string, string>
  /** The largest body that is read. */
  mostBytes?: number
}

export interface HttpClient {
  /**
   * Makes a request until there is an answer that `read` accepts: it throws for a body that is none. Retried with growing, random pauses
   * (or those of Retry-After): no connection, time out, a body that is cut off, 408, 429 and 5xx. Other statuses are HttpFailure at once.
   */
  request<T>(request: HttpRequest, read: (answer: HttpAnswer) => T): Promise<T>
  close(): Promise<void>
}

const MOST_BYTES = 64 * 1024 * 1024
/** A server may ask for a longer pause; the user is then better served by an answer that says so. */
const MOST_PAUSE_MS = 60_000

/** A client that goes through the proxy of HTTPS_PROXY, HTTP_PROXY and NO_PROXY. The caller closes it. */
export async function openHttpClient(options: HttpOptions): Promise<HttpClient> {
  const { env, signal, attempts = 5, pauseMs = 500, timeoutMs = 30_000 } = options
  const { Agent, EnvHttpProxyAgent, request } = await import('undici')
  const limits = {
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: Math.min(timeoutMs, 10_000) },
  }
  const httpsProxy = env.HTTPS_PROXY || env.https_proxy
  const httpProxy = env.HTTP_PROXY || env.http_proxy
  const dispatcher =
    httpsProxy || httpProxy
      ? new EnvHttpProxyAgent({
          ...limits,
          ...(httpProxy && { httpProxy }),
          ...(httpsProxy && { httpsProxy }),
          noProxy: env.NO_PROXY ?? env.no_proxy ?? '',
        })
      : new Agent(limits)

  const once = async ({ method, url, body, headers, mostBytes = MOST_BYTES }: HttpRequest): Promise<HttpAnswer> => {
    const { address, authorization } = splitCredentials(url)
    const answer = await request(address, {
      method,
      dispatcher,
      signal,
      headers: {
        'user-agent': `svc/${VERSION}`,
        accept: '*/*',
        ...(authorization !== undefined && { authorization }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    })
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > mostBytes) throw new HttpFailure(`the answer is larger than ${mostBytes} bytes`)
      chunks.push(chunk)
    }
    return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }
  }

  return {
    async request(what, read) {
      let failure = new HttpFailure('no answer')
      for (let attempt = 1; attempt <= attempts; attempt++) {
        let pause = Math.random() * pauseMs * 2 ** (attempt - 1)
        try {
          const answer = await once(what)
          if (answer.status < 400) return read(answer)
          failure = new HttpFailure(`the server answered ${answer.status}`, answer.status)
          if (!isTemporary(answer.status)) throw failure
          pause = Math.max(pause, readRetryAfter(answer.headers['retry-after']))
        } catch (error) {
          if (signal.aborted) throw new EngineError('INTERRUPTED', 'The work was interrupted.')
          if (error === failure) throw error
          failure = error instanceof HttpFailure ? error : new HttpFailure(describeError(error))
        }
        if (pause > MOST_PAUSE_MS) break
        if (attempt < attempts) await wait(pause, undefined, { signal }).catch(() => {})
        if (signal.aborted) throw new EngineError('INTERRUPTED', 'The work was interrupted.')
      }
      throw failure
    },
    close: () => dispatcher.destroy(),
  }
}

/** An address without its user and password, which become a header: undici sends them in neither. */
function splitCredentials(url: string): { address: URL; authorization?: string } {
  const address = new URL(url)
  const { username, password } = address
  if (username === '' && password === '') return { address }
  address.username = ''
  address.password = ''
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { address, authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** Whether asking again may help. */
function isTemporary(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/** Milliseconds of a Retry-After header, in seconds or as a date; 0 where there is none. */
function readRetryAfter(value: string | string[] | undefined): number {
  const text = Array.isArray(value) ? value[0] : value
  if (text === undefined) return 0
  const ms = /^\s*[0-9]+\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) && ms > 0 ? ms : 0
}

/** What went wrong, by undici's code where it has one: its messages name no cause. */
function describeError(error: unknown): string {
  const { code, cause, message } = error as { code?: string; cause?: { code?: string }; message?: string }
  return redactCredentials([code ?? cause?.code, message].filter(Boolean).join(': ')) || 'no answer'
}
