import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { EngineError } from '../../base/errors.ts'
import { redactCredentials } from '../../base/text/credentials.ts'
import type { BucketSettings } from './bucket-settings.ts'
import type { Content, StoreTrouble } from './objects.ts'

/** How requests are repeated; the defaults are for users, tests shorten the times. */
export interface BucketOptions {
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** Tries of one request before it has failed. */
  attempts?: number
  /** The longest pause before the second try; it doubles with each further one. */
  pauseMs?: number
  /** Time for the head of an answer, and between two pieces of its body. */
  timeoutMs?: number
}

export interface BucketRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Below the bucket; empty for the bucket itself. */
  path?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  content?: Content
}

/** An answer whose body has not been read. */
export interface BucketAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Readable & { text(): Promise<string>; dump(): Promise<void> }
  /** How many tries came before: what they did is not known. */
  tries: number
}

export interface BucketClient {
  /**
   * Signs a request (AWS Signature Version 4), sends it and has `read` take the answer; both are repeated with growing, random pauses
   * where there is no connection, no answer in time, an answer that is cut off, 408, 409, 429 or 5xx. Statuses in `expected` are
   * answers. TOOL_MISSING after the last try; FORBIDDEN or CONFIG_INVALID for what repeating does not help.
   */
  send<T>(request: BucketRequest, expected: readonly number[], read: (answer: BucketAnswer) => Promise<T>): Promise<T>
  readonly trouble: Readonly<StoreTrouble>
  close(): Promise<void>
}

const EMPTY_SHA256 = createHash('sha256').digest('hex')
const TEMPORARY = new Set([408, 409, 425, 429])
/** Characters of an error document that are read. */
const MOST_ERROR = 64 * 1024

export async function openBucketClient(settings: BucketSettings, options: BucketOptions): Promise<BucketClient> {
  const { env, signal, attempts = 6, pauseMs = 300, timeoutMs = 30_000 } = options
  const { Agent, EnvHttpProxyAgent, request } = await import('undici')
  const { AwsV4Signer } = await import('aws4fetch')
  const limits = {
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: Math.min(timeoutMs, 10_000) },
  }
  const isProxied = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].some(name => env[name])
  const dispatcher = isProxied
    ? new EnvHttpProxyAgent({
        ...limits,
        httpProxy: env.HTTP_PROXY || env.http_proxy || undefined,
        httpsProxy: env.HTTPS_PROXY || env.https_proxy || undefined,
        noProxy: env.NO_PROXY ?? env.no_proxy ?? '',
      })
    : new Agent(limits)

  const sendOnce = async ({ method, path = '', query = {}, headers = {}, content }: BucketRequest, tries: number) => {
    const url = new URL(settings.url + path.split('/').map(encodeURIComponent).join('/'))
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const described = describeContent(content)
    const signed = await new AwsV4Signer({
      ...{ method, url: url.href, service: 's3', region: settings.region, ...settings.credentials },
      headers: { ...headers, 'x-amz-content-sha256': described.sha256 },
    }).sign()
    const answer = await request(signed.url, {
      ...{ method, dispatcher, signal },
      headers: {
        ...Object.fromEntries(signed.headers),
        ...(content && { 'content-length': String(described.bytes), 'content-type': 'application/octet-stream' }),
      },
      ...(content && { body: content instanceof Uint8Array ? content : createReadStream(content.path) }),
    })
    return { status: answer.statusCode, headers: answer.headers, body: answer.body, tries } satisfies BucketAnswer
  }

  const trouble: StoreTrouble = { retries: 0, failures: 0 }
  return {
    trouble,
    async send(what, expected, read) {
      let failure = 'no answer'
      for (let tries = 0; tries < attempts; tries++) {
        if (tries > 0)
          await wait(pauseMs * 2 ** (tries - 1) * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {})
        if (signal.aborted) throw new EngineError('INTERRUPTED', 'The work was interrupted.')
        if (tries > 0) trouble.retries++
        try {
          const answer = await sendOnce(what, tries)
          if (expected.includes(answer.status)) return await read(answer)
          const code = readErrorCode(await readText(answer))
          if (answer.status < 500 && !TEMPORARY.has(answer.status)) throw refusal(settings, answer, code)
          failure = `it answered ${answer.status}${code && ` ${code}`}`
        } catch (error) {
          if (signal.aborted) throw new EngineError('INTERRUPTED', 'The work was interrupted.')
          if (error instanceof EngineError) trouble.failures++
          if (error instanceof EngineError || isLocal(error)) throw error
          failure = describeFailure(error)
        }
      }
      trouble.failures++
      throw new EngineError('TOOL_MISSING', `The bucket ${settings.bucket} cannot be reached: ${failure}.`, {
        hint: 'Check AWS_ENDPOINT_URL_S3, AWS_REGION and the network, then run again.',
      })
    },
    close: () => dispatcher.destroy(),
  }
}

function describeContent(content: Content | undefined): { bytes: number; sha256: string } {
  if (content === undefined) return { bytes: 0, sha256: EMPTY_SHA256 }
  if (!(content instanceof Uint8Array)) return content
  return { bytes: content.byteLength, sha256: createHash('sha256').update(content).digest('hex') }
}

async function readText({ body }: BucketAnswer): Promise<string> {
  let text = ''
  for await (const chunk of body) {
    text += String(chunk)
    if (text.length > MOST_ERROR) break
  }
  return text
}

/** The code of an error document (S3 "Error responses"); empty where there is none. */
function readErrorCode(text: string): string {
  return /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(text)?.[1] ?? ''
}

/** What no further try will change, with the next step. */
function refusal({ bucket, region }: BucketSettings, { status, headers }: BucketAnswer, code: string): EngineError {
  const said = `The bucket ${bucket} answered ${status}${code && ` ${code}`}.`
  if (status === 401 || status === 403)
    return new EngineError('FORBIDDEN', said, {
      hint:
        code === 'RequestTimeTooSkewed'
          ? 'The clock of this machine is wrong: set it.'
          : 'Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and what they may do: list, get, put and delete objects.',
    })
  const other = headers['x-amz-bucket-region']
  if (typeof other === 'string' && other !== region && /^[a-z0-9-]{1,40}$/.test(other))
    return new EngineError('CONFIG_INVALID', said, {
      hint: `The bucket is in another region: set AWS_REGION=${other}.`,
    })
  if (code === 'NoSuchBucket')
    return new EngineError('CONFIG_INVALID', said, { hint: 'Create the bucket, or correct fleet.store.' })
  return new EngineError('TOOL_MISSING', said, { hint: 'Check AWS_ENDPOINT_URL_S3, AWS_REGION and fleet.store.' })
}

/** Whether it is this machine's disk that failed, which repeating a request does not help. */
function isLocal(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined && 'path' in (error as object)
}

/** What went wrong, by undici's code where it has one: its messages name no cause. */
function describeFailure(error: unknown): string {
  const { code, cause, message } = error as { code?: string; cause?: { code?: string }; message?: string }
  return redactCredentials([code ?? cause?.code, message].filter(Boolean).join(': ')) || 'no answer'
}
