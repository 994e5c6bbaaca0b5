import type { Answers, Takes } from './answers.gen.ts'
import { Refusal } from './refusal.ts'
import { hasNewToken, reach, readToken, signIn, signIns } from './session.ts'

/** A method and path of the API, as in openapi.json. */
export type Address = keyof Answers

/**
 * The JSON that an address answers. Of what it takes, fields in braces go into the path, those of a GET or DELETE into the query (undefined
 * and empty ones are left out, arrays repeated), others into the body. Throws a Refusal, or the signal's reason.
 */
export async function ask<A extends Address>(address: A, takes: Takes[A], signal?: AbortSignal): Promise<Answers[A]> {
  const { path, init } = requestOf(address, takes as Record<string, unknown>)
  return (await send(path, { ...init, signal })).json() as Promise<Answers[A]>
}

/** A document at a path. */
export async function download(path: string, signal?: AbortSignal): Promise<Blob> {
  return (await send(path, { signal })).blob()
}

/** POSTs and hands on each server-sent event; settles with the data of `done`, throws a Refusal for `error`. */
export async function stream<T>(
  path: string,
  body: unknown,
  onEvent: (name: string, data: unknown) => void,
  signal: AbortSignal,
): Promise<T> {
  const response = await send(path, { ...post('POST', body), signal })
  let rest = ''
  for await (const text of readTexts(response.body!)) {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const event = parseEvent(block)
      if (event?.name === 'done') return event.data as T
      if (event?.name === 'error') throw new Refusal(event.data as ConstructorParameters<typeof Refusal>[0])
      if (event) onEvent(event.name, event.data)
    }
  }
  throw new Refusal({ code: 'INTERRUPTED', detail: 'The connection ended before the scan did.' })
}

/** An event of a stream: its name and its data, which is JSON; undefined for a comment. */
export function parseEvent(block: string): { name: string; data: unknown } | undefined {
  const lines = block.split('\n').filter(line => !line.startsWith(':'))
  if (lines.length === 0) return undefined
  const field = (name: string) =>
    lines
      .filter(line => line.startsWith(`${name}: `))
      .map(line => line.slice(name.length + 2))
      .join('\n')
  return { name: field('event'), data: JSON.parse(field('data')) }
}

async function* readTexts(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield decoder.decode(value, { stream: true })
  }
}

/** The path with its query, and the rest of a request to an address. */
export function requestOf(address: string, takes: Record<string, unknown>): { path: string; init: RequestInit } {
  const [method, template] = address.split(' ', 2) as [string, string]
  const rest = new Map(Object.entries(takes))
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(String(value))
  })
  if (method !== 'GET' && method !== 'DELETE') return { path, init: post(method, Object.fromEntries(rest)) }
  const query = new URLSearchParams()
  for (const [name, value] of rest)
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== '') query.append(name, String(item))
  return { path: query.size > 0 ? `${path}?${query}` : path, init: method === 'GET' ? {} : { method } }
}

function post(method: string, body: unknown): RequestInit {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** Sends once more where the server wants its key, or wants us to wait a little. */
async function send(path: string, init: RequestInit): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const asked = signIns()
    const token = init.method ? await readToken() : undefined
    const response = await reach(path, {
      ...init,
      headers: { ...init.headers, ...(token && { 'x-csrf-token': token }) },
    })
    if (response.ok) return response
    const problem = await response
      .json()
      .catch(() => ({ code: 'INTERNAL', detail: `The server answered ${response.status}.` }))
    if (response.status === 401) await signIn(asked)
    else if (response.status === 403 && init.method && attempt === 0 && (await hasNewToken(token))) continue
    else if (response.status === 429 && attempt < 2)
      await wait(Number(response.headers.get('retry-after')) || 1, init.signal ?? undefined)
    else throw new Refusal({ ...problem, status: response.status })
  }
}

function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
