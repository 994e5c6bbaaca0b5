import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { rootCertificates } from 'node:tls'
import { EngineError } from '../../base/errors.ts'
import { VERSION } from '../../base/version.ts'
import { classifyStatus, cleanText, ProviderFailure } from './failure.ts'

export interface TransportOptions {
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** Milliseconds for connection, head, and between two pieces of a body. */
  timeoutMs?: number
  /** Factor of all pauses; tests wait less. */
  pace?: number
}

/** A request that goes to one provider. */
export interface Exchange {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | undefined
}

export interface Answer {
  status: number
  headers: Headers
  text: string
}

/** HTTP to one provider. */
export interface Transport {
  /** One request, without a retry; rejects where there is no whole answer. Follows redirects within the origin only. */
  exchange(request: Exchange): Promise<Answer>
  /**
   * As `exchange`, again after 429, 5xx and broken connections where the request changes nothing, and after a rate limit in any case, since
   * a limited request was not carried out. Throws a ProviderFailure for a status of 400 and above.
   */
  request(request: Exchange): Promise<Answer>
  /** `exchange` as the function that libraries call. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** What `exchange` rejected with, as an error for people: INTERRUPTED, or a ProviderFailure. `place` is method and path. */
  describe(error: unknown, place: string): EngineError
  /** The text without the secrets that were sent. */
  redact(text: string): string
  /** Names a secret that no message may have. */
  protect(secret: string): void
  readonly signal: AbortSignal
  readonly pace: number
  close(): Promise<void>
}

const TIMEOUT_MS = 30_000
const ATTEMPTS = 4
/** Longer pauses are reported and not waited for, in seconds. */
export const LONGEST_WAIT = 120
const MOST_BYTES = 32 * 1024 * 1024
const MOST_REDIRECTS = 3
/** Answers that are kept for conditional requests, and their largest length. */
const KEPT = 200
const KEPT_LENGTH = 1024 * 1024

/**
 * A transport through the proxy of HTTPS_PROXY, HTTP_PROXY and NO_PROXY, which trusts the certificates of GUARD_CA_FILE beside those of the
 * system. The caller closes it.
 */
export async function openTransport({
  env,
  signal,
  timeoutMs = TIMEOUT_MS,
  pace = 1,
}: TransportOptions): Promise<Transport> {
  const { Agent, EnvHttpProxyAgent, request: send } = await import('undici')
  const ca = readCertificates(env)
  const tls = ca === undefined ? {} : { ca }
  const limits = {
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: Math.min(timeoutMs, 10_000), ...tls },
    ...(ca !== undefined && { requestTls: tls }),
  }
  const [httpProxy, httpsProxy] = [env.HTTP_PROXY || env.http_proxy, env.HTTPS_PROXY || env.https_proxy]
  const noProxy = env.NO_PROXY ?? env.no_proxy ?? ''
  const dispatcher =
    httpProxy || httpsProxy
      ? new EnvHttpProxyAgent({
          ...limits,
          ...(httpProxy && { httpProxy }),
          ...(httpsProxy && { httpsProxy }),
          noProxy,
        })
      : new Agent(limits)
  const secrets = new Set<string>()
  const kept = new Map<string, { tag: string; answer: Answer }>()

  const once = async ({ method, url, headers, body }: Exchange): Promise<Answer> => {
    const response = await send(url, {
      method: method as 'GET',
      dispatcher,
      signal,
      headers: { 'user-agent': `svc/${VERSION}`, ...headers },
      ...(body !== undefined && { body }),
    })
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MOST_BYTES) throw new Error(`the answer is larger than ${MOST_BYTES} bytes`)
      chunks.push(chunk)
    }
    const all = Object.entries(response.headers).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value ?? '']).map((one): [string, string] => [name, one]),
    )
    return { status: response.statusCode, headers: new Headers(all), text: Buffer.concat(chunks).toString('utf8') }
  }

  const follow = async (request: Exchange, left = MOST_REDIRECTS): Promise<Answer> => {
    const answer = await once(request)
    const location = answer.headers.get('location')
    if (!location || ![301, 302, 307, 308].includes(answer.status) || left === 0) return answer
    const to = new URL(location, request.url)
    // A token is not taken to another host, and what changes something is not sent twice by a redirect that may alter its method.
    if (to.origin !== new URL(request.url).origin || (request.method !== 'GET' && answer.status < 307)) return answer
    return follow({ ...request, url: to.href }, left - 1)
  }

  const exchange = async (request: Exchange): Promise<Answer> => {
    const key = request.method === 'GET' ? `${request.url}\n${request.headers.accept ?? ''}` : undefined
    const known = key === undefined ? undefined : kept.get(key)
    const answer = await follow(
      known ? { ...request, headers: { ...request.headers, 'if-none-match': known.tag } } : request,
    )
    if (known && answer.status === 304) return known.answer
    const tag = answer.headers.get('etag')
    if (key !== undefined && tag && answer.status === 200 && answer.text.length <= KEPT_LENGTH) {
      if (kept.size >= KEPT) kept.delete(kept.keys().next().value!)
      kept.set(key, { tag, answer })
    }
    return answer
  }

  const redact = (text: string) => {
    let out = text
    for (const secret of secrets) out = out.replaceAll(secret, '[token]')
    return out
  }

  const describe = (error: unknown, place: string) =>
    signal.aborted
      ? new EngineError('INTERRUPTED', 'The work was interrupted.')
      : new ProviderFailure('unavailable', redact(`${place} got no answer: ${cleanText(tellCause(error))}`))

  const request = async (what: Exchange): Promise<Answer> => {
    const place = `${what.method} ${new URL(what.url).pathname}`
    for (let attempt = 1; ; attempt++) {
      let answer: Answer | undefined
      let failure: EngineError | undefined
      try {
        answer = await exchange(what)
      } catch (error) {
        failure = describe(error, place)
        if (signal.aborted) throw failure
      }
      if (answer && answer.status < 400 && answer.status >= 200 && answer.status !== 304) {
        if (answer.status < 300) return answer
        throw new ProviderFailure('unavailable', `${place} was redirected to another address, which is not followed.`)
      }
      const pause = pauseAfter(answer, what.method, attempt)
      if (pause === undefined || attempt === ATTEMPTS || pause > LONGEST_WAIT * 1000)
        throw (
          failure ??
          new ProviderFailure(
            classifyStatus(answer?.status),
            redact(`${place} was answered with ${answer!.status}: ${cleanText(answer!.text)}`),
            { status: answer!.status },
          )
        )
      await wait(pause * pace, undefined, { signal }).catch(() => {})
    }
  }

  return {
    signal,
    pace,
    exchange,
    request,
    describe,
    redact,
    protect: secret => void (secret.length >= 6 && secrets.add(secret)),
    async fetch(input, init = {}) {
      const url = typeof input === 'string' || input instanceof URL ? String(input) : input.url
      const headers: Record<string, string> = {}
      new Headers(init.headers).forEach((value, name) => {
        headers[name] = value
      })
      const body = init.body === null || init.body === undefined ? undefined : String(init.body)
      const answer = await exchange({ method: init.method ?? 'GET', url, headers, body })
      const isEmpty = answer.status === 204 || answer.status === 304
      const response = new Response(isEmpty ? null : answer.text, { status: answer.status, headers: answer.headers })
      Object.defineProperty(response, 'url', { value: url })
      return response
    },
    close: () => dispatcher.destroy(),
  }
}

/** Milliseconds until another try is of use; undefined where none is. */
function pauseAfter(answer: Answer | undefined, method: string, attempt: number): number | undefined {
  const backoff = 1000 * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
  const isHarmless = method === 'GET' || method === 'HEAD'
  if (!answer) return isHarmless ? backoff : undefined
  const asked = readRetryAfter(answer.headers.get('retry-after'))
  if (answer.status === 429) return Math.max(asked ?? 0, backoff)
  if (answer.status === 403 && asked !== undefined) return asked
  return answer.status >= 500 && isHarmless ? Math.max(asked ?? 0, backoff) : undefined
}

/** Milliseconds of a Retry-After header, in seconds or as a date. */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined
  const ms = /^\s*[0-9]+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

function tellCause(error: unknown): string {
  const { code, cause, message } = error as { code?: string; cause?: { code?: string }; message?: string }
  return [code ?? cause?.code, message].filter(Boolean).join(': ') || 'no answer'
}

function readCertificates(env: TransportOptions['env']): string[] | undefined {
  const file = env.GUARD_CA_FILE
  if (!file) return undefined
  try {
    const own = readFileSync(file, 'utf8')
    if (!own.includes('-----BEGIN CERTIFICATE-----')) throw new Error('it has no certificate in PEM')
    return [...rootCertificates, own]
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new EngineError('CONFIG_INVALID', `GUARD_CA_FILE cannot be used: ${code ?? message}.`, {
      hint: 'Set it to a PEM file with the certificates of the authority.',
    })
  }
}
