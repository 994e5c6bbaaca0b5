import type { FastifyReply, FastifyRequest } from 'fastify'
import { EngineError } from '../engine/base/errors.ts'
import { isKey } from './auth.ts'
import { refuseForged } from './doorman.ts'
import { isSameOrigin } from './origin.ts'
import { createRateLimit, identifyClient, makeRateLimitHeaders } from './rate-limit.ts'
import { type Sessions, writeCookie } from './sessions.ts'

/** Attempts to sign in per minute and client, whatever the other limits are. */
const ATTEMPTS = 10

interface SessionOptions {
  key?: string
  readOnly: boolean
  sessions: Sessions
  now?: () => number
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown

/**
 * Signing in and out: `POST /api/session {key}` answers with a cookie that scripts cannot read and the token that writes need,
 * `GET` says how things stand, `DELETE` ends it.
 */
export function addSessionRoutes(
  { key, readOnly, sessions, now }: SessionOptions,
  add: (method: string, path: string, handler: Handler) => void,
): void {
  const attempts = createRateLimit({ limit: ATTEMPTS, now })
  const answer = (session: { csrf_token: string; expires_at: string } | undefined, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store')
    return {
      required: key !== undefined,
      signed_in: key === undefined || session !== undefined,
      read_only: readOnly,
      ...session,
    }
  }
  const view = (found: ReturnType<Sessions['find']>) =>
    found && { csrf_token: found.csrf_token, expires_at: found.expires_at }

  add('GET', '/api/session', ({ headers }, reply) =>
    answer(key === undefined || !isSameOrigin(headers, 'GET') ? undefined : view(sessions.find(headers.cookie)), reply),
  )
  add('POST', '/api/session', (request, reply) => {
    const { headers, body } = request
    const taken = attempts.take(identifyClient(request.ip))
    if (!taken.allowed) {
      reply.headers(makeRateLimitHeaders(attempts, taken))
      throw new EngineError('RATE_LIMITED', `This address has tried ${ATTEMPTS} times within a minute to sign in.`)
    }
    if (!isSameOrigin(headers, 'POST'))
      throw new EngineError('HOST_REFUSED', 'The page that sent the request is not this server’s own.')
    if (key === undefined) throw new EngineError('CONFLICT', 'This server asks for no key, so nobody signs in.')
    const given = (body as { key?: unknown } | null | undefined)?.key
    if (typeof given !== 'string' || Object.keys(body as object).length !== 1)
      throw new EngineError('INPUT_INVALID', 'The body must be {"key": "…"}, with the API key of the server.')
    if (!isKey(given, key)) throw new EngineError('UNAUTHENTICATED', 'That is not the API key of this server.')
    sessions.close(headers.cookie)
    const { secret, session } = sessions.open()
    reply.header('set-cookie', writeCookie(secret, isSecure(request)))
    return answer(view(session), reply)
  })
  add('DELETE', '/api/session', (request, reply) => {
    const session = sessions.find(request.headers.cookie)
    if (session) refuseForged(request, session, { effect: 'write' })
    sessions.close(request.headers.cookie)
    reply.header('set-cookie', writeCookie(undefined, isSecure(request)))
    return answer(undefined, reply)
  })
}

/** As the proxy that ends TLS says. Who forges it gets a cookie that their own browser does not send. */
function isSecure({ headers }: FastifyRequest): boolean {
  return headers['x-forwarded-proto'] === 'https'
}
