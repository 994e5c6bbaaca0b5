import type { Answer, Detector, Verify } from '../base/records/secret-detector.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import { writeOut } from '../detect/secrets/shorthand.ts'
import type { Liveness } from './secret.ts'

/** A value to ask a provider about. It is held in memory for the time of the question only. */
export interface Question {
  /** The secret's identity. */
  id: string
  rule: CompiledRule
  value: string
}

export interface VerifyOptions {
  signal: AbortSignal
  /** Asks this address instead of the providers', for tests and proxies: scheme, host and port. */
  base?: string
  /** Least time between two questions to one host, in milliseconds. */
  pause_ms?: number
  /** Longest time to wait for an answer. */
  timeout_ms?: number
}

/** What came of a question: what the provider said, or that it said nothing in time. */
export type Asked = Liveness | 'unanswered'

const PAUSE_MS = 250
const TIMEOUT_MS = 10_000
/** Of an answer no more is read. */
const MOST_BODY = 64 << 10

/**
 * Asks each credential's provider whether it works. Hosts are those that the detectors name and no others, redirects are not
 * followed, one question at a time goes to each host. An answer that fits neither condition is `unknown`; one that comes late, broken or not at
 * all is none.
 */
export async function verify(questions: readonly Question[], options: VerifyOptions): Promise<Map<string, Asked>> {
  const answers = new Map<string, Asked>()
  const byHost = new Map<string, Question[]>()
  for (const question of questions) {
    const rule = detectorOf(question.rule)?.verify
    if (!rule || answers.has(question.id)) continue
    answers.set(question.id, 'unanswered')
    const host = new URL(rule.url.replace(/\{\w+\}/g, 'x')).host
    byHost.set(host, [...(byHost.get(host) ?? []), question])
  }
  await Promise.all(
    [...byHost.values()].map(async own => {
      for (const [index, { id, rule, value }] of own.entries()) {
        if (index > 0) await pause(options.pause_ms ?? PAUSE_MS)
        if (options.signal.aborted) return
        answers.set(id, await ask(detectorOf(rule)!, value, options))
      }
    }),
  )
  options.signal.throwIfAborted()
  return answers
}

/** The provider that can be asked about what a rule finds; undefined where none can. */
export function findProvider(rule: CompiledRule | undefined): string | undefined {
  const detector = rule && detectorOf(rule)
  return detector?.verify && detector.provider
}

/** Where a rule's provider is asked: method and address, with placeholders in the place of what is secret. */
export function describeEndpoint(rule: CompiledRule): string | undefined {
  const asked = detectorOf(rule)?.verify
  return asked && `${asked.method} ${asked.url}`
}

function detectorOf(rule: CompiledRule): Detector | undefined {
  return rule.type === 'secret' ? rule.detector : undefined
}

async function ask(detector: Detector, value: string, options: VerifyOptions): Promise<Asked> {
  const rule = detector.verify!
  const groups = groupsOf(detector, value)
  const fill = (text: string, encode: (value: string) => string = same) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => (groups[name] === undefined ? whole : encode(groups[name])))
  const asked = new URL(fill(rule.url, encodeURIComponent))
  const url = options.base === undefined ? asked : new URL(asked.pathname + asked.search, options.base)
  try {
    const response = await fetch(url, {
      method: rule.method,
      headers: headersOf(rule, fill),
      redirect: 'manual',
      signal: AbortSignal.any([options.signal, AbortSignal.timeout(options.timeout_ms ?? TIMEOUT_MS)]),
      ...(rule.body !== undefined && { body: fill(rule.body) }),
    })
    const body = await beginning(response)
    if (fits(rule.live, response.status, body)) return 'live'
    return fits(rule.dead, response.status, body) ? 'dead' : 'unknown'
  } catch {
    // No network, no answer, a broken one: no message may carry the request.
    return 'unanswered'
  }
}

/** The body as text, as far as it is read. */
async function beginning({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MOST_BODY) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

function headersOf({ headers = {}, basic }: Verify, fill: (text: string) => string): Record<string, string> {
  const out: Record<string, string> = { 'user-agent': 'svc' }
  for (const [name, text] of Object.entries(headers)) out[name] = fill(text)
  if (basic)
    out.authorization = `Basic ${Buffer.from(`${fill(basic.user)}:${fill(basic.password)}`).toString('base64')}`
  return out
}

function fits({ status, body }: Answer, code: number, text: string): boolean {
  return (
    (status !== undefined || body !== undefined) &&
    (status === undefined || status.includes(code)) &&
    (body === undefined || text.includes(body))
  )
}

/** What the templates may name: the value itself, and the groups of the format within it. */
function groupsOf({ format, ignore_case }: Detector, value: string): Record<string, string | undefined> {
  const found = format === undefined ? undefined : new RegExp(writeOut(format), ignore_case ? 'mui' : 'mu').exec(value)
  return { ...found?.groups, secret: value }
}

function same(text: string): string {
  return text
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
