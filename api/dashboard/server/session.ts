import { signal } from '@preact/signals'
import { Refusal } from './refusal.ts'

/** Who has signed in is known by a cookie that no script can read; the token that goes with writes is kept in memory. */
const SESSION = '/api/session'

export interface Session {
  /** Whether the server asks people to sign in. */
  required: boolean
  signed_in: boolean
  read_only: boolean
  csrf_token?: string
}

/** The question for the key, where one is open: why it is asked, and where the answer goes. */
export interface KeyQuestion {
  fault?: string
  answer(key: string): void
}

export const question = signal<KeyQuestion>()
/** As the server said it last. */
export const session = signal<Session>()

let token: string | undefined
let asking: Promise<void> | undefined
let count = 0

/** How often somebody has signed in on this page: a request that was refused before needs no second question. */
export function signIns(): number {
  return count
}

/** A request whose failure to reach the server is a Refusal too. */
export async function reach(path: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (error) {
    if (init?.signal?.aborted) throw error
    throw new Refusal({
      code: 'UNREACHABLE',
      detail: 'The server does not answer. Is `svc dashboard` still running?',
    })
  }
}

/** Asks how the session stands. */
export async function loadSession(): Promise<Session> {
  const loaded = (await (await reach(SESSION)).json()) as Session
  token = loaded.csrf_token
  session.value = loaded
  return loaded
}

/** The token of writes; undefined where the server asks for no key. */
export async function readToken(): Promise<string | undefined> {
  if (token === undefined) await loadSession()
  return token
}

/** Whether a write was refused with the token of a session that another tab has replaced. */
export async function hasNewToken(before: string | undefined): Promise<boolean> {
  await loadSession()
  return token !== before
}

/** Signs out and starts the page anew, so that nothing of what was shown stays. */
export async function signOut(): Promise<void> {
  await reach(SESSION, { method: 'DELETE', headers: { 'x-csrf-token': (await readToken()) ?? '' } })
  location.reload()
}

/** One question for all requests that wait, until the key is right. */
export function signIn(asked: number): Promise<void> {
  if (count > asked) return Promise.resolve()
  asking ??= askUntilRight().finally(() => {
    asking = undefined
  })
  return asking
}

async function askUntilRight(): Promise<void> {
  let fault: string | undefined
  for (;;) {
    const key = await new Promise<string>(answer => {
      question.value = { fault, answer }
    })
    if (key === '') continue
    fault = await openSession(key)
    if (fault === undefined) break
  }
  question.value = undefined
  count++
}

/** Signs in; what went wrong, in words for a person, or undefined. */
async function openSession(key: string): Promise<string | undefined> {
  try {
    const headers = { 'content-type': 'application/json' }
    const response = await reach(SESSION, { method: 'POST', headers, body: JSON.stringify({ key }) })
    const answer = (await response.json()) as Session & { detail?: string }
    if (response.ok) {
      token = answer.csrf_token
      session.value = answer
      return undefined
    }
    if (response.status === 401)
      return 'The server did not accept that key. Use the key that `svc dashboard` printed, or GUARD_API_KEY.'
    return answer.detail ?? `The server answered ${response.status}.`
  } catch (error) {
    return (error as Error).message
  }
}
