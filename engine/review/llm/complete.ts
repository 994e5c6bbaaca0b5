import { join } from 'node:path'
import { writeOutput } from '../../base/disk/output-file.ts'
import { findFaults, type JsonSchema } from '../../base/json-schema.ts'
import { clip } from '../../base/text/visible.ts'
import type { Seal } from '../../sources/state/cache-seal.ts'
import type { Budget, Usage } from './budget.ts'
import { digestRequest, readExchange, writeExchange } from './exchange-store.ts'
import { LlmError } from './llm-error.ts'
import { askProvider, type Message } from './provider.ts'
import type { LlmSettings } from './settings.ts'

export interface CompletionRequest {
  /** What it is for, one word: `design-review`, `threat-model`, `drift`. */
  purpose: string
  messages: readonly Message[]
  /** The answer must match it. */
  schema: JsonSchema
  /** Random words of fences in the messages. */
  nonces?: readonly string[]
}

export interface Completion {
  value: unknown
  usage: Usage
  cached: boolean
}

/** Where exchanges are kept, and what may be spent. */
export interface CompletionOptions {
  settings: LlmSettings
  budget: Budget
  signal: AbortSignal
  /** A directory in which answers to the same request are kept, and the seal that they are believed by. */
  cache?: { folder: string; seal: Seal }
  /** A directory to which every exchange is written. */
  record?: string
  /** A directory from which answers come; nothing is sent then. */
  replay?: string
  /** A directory for answers that could not be used. */
  raw?: string
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Overhead of a request beside its texts, in tokens. */
const OVERHEAD = 200
/** A token has at least one byte, so the bytes are the most that a text can take. */
export function countMostTokens(text: string): number {
  return Buffer.byteLength(text)
}

/**
 * Asks a model one question. The answer is JSON that matches the schema, else it is asked to repair it once, else LlmError `invalid_answer`
 * with the raw answer, which is kept in `raw` too. A replayed or cached answer costs nothing and is checked all the same.
 */
export async function complete(request: CompletionRequest, options: CompletionOptions): Promise<Completion> {
  const first = await exchange(request, request.messages, options)
  const parsed = parseAnswer(first.text, request.schema)
  if (parsed.faults === undefined) return { value: parsed.value, usage: first.usage, cached: first.cached }
  const repair: Message[] = [
    ...request.messages,
    { role: 'assistant', content: clip(first.text, 20_000) || '(empty)' },
    {
      role: 'user',
      content: `This is not valid: ${parsed.faults.slice(0, 5).join(' ')} Answer again with one JSON object that matches the schema, and nothing else.`,
    },
  ]
  const second = await exchange(request, repair, options)
  const again = parseAnswer(second.text, request.schema)
  const usage = { input: first.usage.input + second.usage.input, output: first.usage.output + second.usage.output }
  if (again.faults === undefined) return { value: again.value, usage, cached: first.cached && second.cached }
  if (options.raw !== undefined) {
    const { settings } = options
    const digest = digestRequest(
      { ...settingsOf(settings), purpose: request.purpose, messages: repair, schema: request.schema },
      request.nonces ?? [],
    )
    writeOutput(join(options.raw, `${request.purpose}-${digest.slice(0, 16)}.txt`), clip(second.text, 1 << 20))
  }
  throw new LlmError('invalid_answer', `the model gave no valid answer twice: ${clip(again.faults[0]!, 200)}`, {
    raw: second.text,
  })
}

function settingsOf({ provider, model, max_output_tokens }: LlmSettings) {
  return { provider, model, max_output_tokens }
}

async function exchange(
  { purpose, schema, nonces = [] }: CompletionRequest,
  messages: readonly Message[],
  { settings, budget, signal, cache, record, replay, pause }: CompletionOptions,
): Promise<{ text: string; usage: Usage; cached: boolean }> {
  signal.throwIfAborted()
  const digest = digestRequest({ ...settingsOf(settings), purpose, messages, schema }, nonces)
  const cached = cache && readExchange(cache.folder, digest, cache.seal)
  const kept = replay === undefined ? cached : readExchange(replay, digest)
  if (kept) return { text: kept.text, usage: { input: 0, output: 0 }, cached: true }
  if (replay !== undefined) throw new LlmError('replay_miss', `no exchange ${digest.slice(0, 16)} was recorded`)
  const input =
    messages.reduce((sum, { content }) => sum + countMostTokens(content), 0) +
    countMostTokens(JSON.stringify(schema)) +
    OVERHEAD
  const most = { input, output: settings.max_output_tokens }
  const reserved = budget.reserve(most)
  let used: Usage = most
  try {
    const asked = await askProvider(
      settings,
      { messages, schema, max_output_tokens: settings.max_output_tokens, signal },
      pause,
    )
    used = asked.usage ?? { input, output: Math.min(settings.max_output_tokens, countMostTokens(asked.text)) }
    const { provider, model } = settings
    const answer = { purpose, provider, model, text: asked.text, usage: used }
    if (cache) writeExchange(cache.folder, digest, answer, cache.seal)
    if (record !== undefined) writeExchange(record, digest, answer)
    return { text: asked.text, usage: used, cached: false }
  } catch (error) {
    // What was refused before anything was generated costs nothing; of all else nobody knows.
    if (error instanceof LlmError && (error.kind === 'unreachable' || error.kind === 'rejected'))
      used = { input: 0, output: 0 }
    throw error
  } finally {
    reserved.settle(used)
  }
}

/** The JSON object of an answer, perhaps in a code block or with words around it; its faults where it has some. */
export function parseAnswer(text: string, schema: JsonSchema): { value?: unknown; faults?: string[] } {
  const trimmed = text.trim()
  if (trimmed === '') return { faults: ['The answer is empty.'] }
  const [from, to] = [trimmed.indexOf('{'), trimmed.lastIndexOf('}')]
  if (from === -1 || to < from) return { faults: ['The answer has no JSON object.'] }
  let value: unknown
  try {
    value = JSON.parse(trimmed.slice(from, to + 1))
  } catch {
    return { faults: ['The answer is no JSON.'] }
  }
  const faults = findFaults(schema, value).map(({ message }) => message)
  return faults.length > 0 ? { faults } : { value }
}
