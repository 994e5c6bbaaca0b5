import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { setMaxListeners } from 'node:events'

/** The cookie of a person's session (decisions "Dashboard"). */
export const SESSION_COOKIE = 'svc_session'
/** Milliseconds that a session lasts: 12 hours. */
const LIFETIME = 12 * 3_600_000
/** Sessions at once; past that the oldest ends. */
const MOST = 1000

/** A person who has signed in on this server. */
export interface Session {
  /** What writes have to send in X-CSRF-Token. */
  csrf_token: string
  /** ISO 8601. */
  expires_at: string
  /** Aborted when it ends, however: what goes on in its name ends with it. */
  ended: AbortSignal
  /** Tells it apart from others, and tells nothing of its secret. */
  name: string
}

/** The sessions of a server that runs; they end with it. */
export interface Sessions {
  /** A new session with a new secret, whatever the browser sent: an identifier that somebody planted is worth nothing. */
  open(): { secret: string; session: Session }
  /** The session that the Cookie header names, unless it has expired. */
  find(cookie: string | undefined): Session | undefined
  close(cookie: string | undefined): void
  readonly size: number
}

/** Keeps sessions in memory by the digest of their secret, so that looking one up tells nothing of how much of it was right. */
export function createSessions({ now = Date.now, lifetime = LIFETIME, most = MOST } = {}): Sessions {
  const sessions = new Map<string, Session & { ends: number; end(): void }>()

  function remove(key: string): void {
    const session = sessions.get(key)
    sessions.delete(key)
    session?.end()
  }

  function alive(cookie: string | undefined): [key: string, session: Session] | undefined {
    const secret = readSecret(cookie)
    if (secret === undefined) return undefined
    const key = digest(secret)
    const session = sessions.get(key)
    if (!session) return undefined
    if (session.ends > now()) return [key, session]
    remove(key)
    return undefined
  }

  return {
    open() {
      const at = now()
      // In the order of their ends, since all last equally long.
      for (const [key, { ends }] of sessions) {
        if (ends > at && sessions.size < most) break
        remove(key)
      }
      const secret = randomBytes(32).toString('base64url')
      const ends = at + lifetime
      const ending = new AbortController()
      // As many streams as the person has open listen to it.
      setMaxListeners(0, ending.signal)
      const key = digest(secret)
      const timer = setTimeout(() => remove(key), lifetime).unref()
      const session = {
        ...{ csrf_token: randomBytes(32).toString('base64url'), expires_at: new Date(ends).toISOString(), ends },
        ...{ ended: ending.signal, name: randomBytes(9).toString('base64url') },
        end() {
          clearTimeout(timer)
          ending.abort()
        },
      }
      sessions.set(key, session)
      return { secret, session }
    },
    find: cookie => alive(cookie)?.[1],
    close(cookie) {
      const found = alive(cookie)
      if (found) remove(found[0])
    },
    get size() {
      return sessions.size
    },
  }
}

/** Whether the token is the session's; the time taken does not tell how much of it is right. */
export function isTokenOf(session: Session, token: unknown): boolean {
  if (typeof token !== 'string') return false
  const [given, own] = [token, session.csrf_token].map(text => createHash('sha256').update(text).digest())
  return timingSafeEqual(given!, own!)
}

/** The Set-Cookie header that begins a session, or ends one where there is no secret. `secure` where the browser came by HTTPS. */
export function writeCookie(secret: string | undefined, secure: boolean): string {
  const age = secret === undefined ? 0 : LIFETIME / 1000
  const parts = [`${SESSION_COOKIE}=${secret ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${age}`]
  return [...parts, ...(secure ? ['Secure'] : [])].join('; ')
}

/** The secret in a Cookie header. Two of them are none: another site of the domain has planted one. */
function readSecret(cookie: string | undefined): string | undefined {
  const named = (cookie ?? '').split(';').flatMap(part => {
    const [name, value] = part.trim().split('=', 2)
    return name === SESSION_COOKIE && value !== undefined ? [value] : []
  })
  return named.length === 1 && /^[\w-]{43}$/.test(named[0]!) ? named[0] : undefined
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64')
}
