import type { JsonSchema } from '../../base/json-schema.ts'
import type { Usage } from './budget.ts'
import { LlmError } from './llm-error.ts'
import type { LlmSettings } from './settings.ts'

export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** One request to a model, and the text of its answer. */
export interface Asked {
  text: string
  /** As the provider reports it; undefined where it does not. */
  usage?: Usage
}

/** Bytes of an answer that are read; more is no answer. */
const MOST_BYTES = 2 << 20
const ATTEMPTS = 3
/** Statuses after which the same request may succeed. */
const AGAIN = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529])

/** Sends one request, again where the provider says so. LlmError where no answer came. */
export async function askProvider(
  settings: LlmSettings,
  {
    messages,
    schema,
    max_output_tokens,
    signal,
  }: { messages: readonly Message[]; schema: JsonSchema; max_output_tokens: number; signal: AbortSignal },
  pause: (ms: number, signal: AbortSignal) => Promise<void> = wait,
): Promise<Asked> {
  const library = await import('./library.ts')
  const model = makeModel(library, settings)
  let isStructured = true
  for (let attempt = 1; ; attempt++) {
    const timeout = AbortSignal.timeout(settings.timeout_ms)
    try {
      const { text, usage, finishReason } = await library.generateText({
        ...{
          model,
          messages: messages.filter(({ role }) => role !== 'system') as never,
          maxRetries: 0,
          temperature: 0,
        },
        system: messages.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n'),
        ...{ maxOutputTokens: max_output_tokens, abortSignal: AbortSignal.any([signal, timeout]) },
        ...(isStructured && { output: library.Output.object({ schema: library.jsonSchema(schema as never) }) }),
      })
      if (finishReason === 'content-filter') throw new LlmError('refused', 'the model refused to answer', { raw: text })
      return { text, ...takeUsage(usage) }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof LlmError) throw error
      if (library.NoObjectGeneratedError.isInstance(error)) {
        if (error.finishReason === 'content-filter')
          throw new LlmError('refused', 'the model refused to answer', { raw: error.text ?? '' })
        return { text: error.text ?? '', ...takeUsage(error.usage) }
      }
      if (timeout.aborted)
        throw new LlmError('timed_out', `no answer within ${settings.timeout_ms / 1000} seconds (llm.timeout_seconds)`)
      const cause = findLlmError(error)
      if (cause) throw cause
      const call = library.APICallError.isInstance(error) ? error : undefined
      // Small servers do not know response formats: the schema is in the prompt too.
      if (
        isStructured &&
        call?.statusCode === 400 &&
        /response_format|json_schema|output_format|grammar/i.test(call.responseBody ?? '')
      ) {
        isStructured = false
        continue
      }
      const status = call?.statusCode
      const mayRetry = status === undefined ? isNetworkError(error) : AGAIN.has(status)
      if (attempt >= ATTEMPTS || !mayRetry) throw describe(error, status, settings)
      await pause(delayOf(attempt, call?.responseHeaders), signal)
    }
  }
}

type Library = typeof import('./library.ts')

function makeModel(
  { createAnthropic, createOpenAICompatible }: Library,
  { provider, model, base_url, key }: LlmSettings,
) {
  const shared = { baseURL: base_url, fetch: fetchBounded }
  if (provider === 'anthropic') return createAnthropic({ ...shared, apiKey: key ?? 'none' })(model)
  return createOpenAICompatible({
    ...shared,
    name: provider,
    supportsStructuredOutputs: true,
    ...(key !== undefined && { apiKey: key }),
  })(model)
}

/** Fetches with a limit on the answer and no redirects: code and key go to the configured address and nowhere else. */
const fetchBounded: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' })
  const declared = Number(response.headers.get('content-length') ?? 0)
  if (declared > MOST_BYTES)
    throw new LlmError('too_large', `the answer has ${declared} bytes; at most ${MOST_BYTES} are read`)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > MOST_BYTES) throw new LlmError('too_large', `the answer has more than ${MOST_BYTES} bytes`)
    parts.push(part)
  }
  const headers = new Headers(response.headers)
  headers.delete('content-encoding')
  headers.delete('content-length')
  const hasBody = response.status !== 204 && response.status !== 304
  return new Response(hasBody ? Buffer.concat(parts) : null, {
    status: response.status,
    statusText: response.statusText,
    headers,
  })
}

function takeUsage(usage: { inputTokens?: number | undefined; outputTokens?: number | undefined } | undefined): {
  usage?: Usage
} {
  const { inputTokens, outputTokens } = usage ?? {}
  if (!Number.isFinite(inputTokens) || !Number.isFinite(outputTokens)) return {}
  return { usage: { input: Math.max(0, inputTokens!), output: Math.max(0, outputTokens!) } }
}

/** Seconds of Retry-After up to half a minute, else half a second, doubled each time. */
function delayOf(attempt: number, headers: Record<string, string> | undefined): number {
  const seconds = Number(headers?.['retry-after'])
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 30) * 1000 : 500 * 2 ** (attempt - 1)
}

function findLlmError(error: unknown): LlmError | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++)
    if (at instanceof LlmError) return at
  return undefined
}

/** An error below HTTP: no connection, or one that broke. An answer that is no JSON is none. */
function isNetworkError(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++)
    if (/fetch failed|terminated|ECONN|EPIPE|socket|other side closed/i.test(at.message)) return true
  return false
}

function describe(
  error: unknown,
  status: number | undefined,
  { base_url, is_key_withheld }: Pick<LlmSettings, 'base_url' | 'is_key_withheld'>,
): LlmError {
  if ((status === 401 || status === 403) && is_key_withheld)
    return new LlmError(
      'not_trusted',
      `the server wants a key (${status}), and got none: set SVC_LLM_TRUST=${new URL(base_url).origin} to send it there`,
      { cause: error },
    )
  if (status === 401 || status === 403)
    return new LlmError('rejected', `the provider refused the key (${status})`, { cause: error })
  if (status === 429 || status === 529)
    return new LlmError('unreachable', `the provider is busy (${status})`, { cause: error })
  if (status !== undefined && status !== 200)
    return new LlmError('rejected', `the provider answered ${status}`, { cause: error })
  if (isNetworkError(error)) return new LlmError('unreachable', 'the provider cannot be reached', { cause: error })
  return new LlmError('invalid_answer', 'the provider sent an answer that has not the form of its API', {
    cause: error,
  })
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  const { setTimeout: sleep } = await import('node:timers/promises')
  await sleep(ms, undefined, { signal })
}
