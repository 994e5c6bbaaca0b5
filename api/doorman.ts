import type { FastifyReply, FastifyRequest } from 'fastify'
import { EngineError } from '../engine/base/errors.ts'
import type { Effect, ManifestRow } from '../engine/door/operation.ts'
import { carriesKey } from './auth.ts'
import { MCP_PATH } from './mcp-path.ts'
import { isOwn, isSameOrigin } from './origin.ts'
import { createRateLimit, identifyClient, makeRateLimitHeaders, type RateLimit, readRateLimit } from './rate-limit.ts'
import { isTokenOf, type Session, type Sessions } from './sessions.ts'

/** A person at the dashboard may send as many times the requests of a program: quick clicks never wait. */
const PERSON_FACTOR = 10
/** A provider sends the deliveries of a whole organization from a few addresses. */
const DELIVERY_FACTOR = 50

/** What the door knows of the server. */
export interface DoorOptions {
  host: string
  key?: string
  env: Readonly<Record<string, string | undefined>>
  now?: () => number
  sessions: Sessions
}

/** What a route says of itself to the door. */
export interface DoorConfig {
  /** Answered without a key. */
  open?: boolean
  effect?: Effect
  /** It is a provider's, who is known by what was sent, whatever address it was sent to. */
  delivery?: boolean
}

/** Whose an admitted request is. */
export interface Admitted {
  /** Tells clients apart: a person's session, else the address. */
  client: string
  /** The session whose cookie admitted it. */
  session?: Session
}

/** Looks at each request before anything else: how many, whose, from which page. Throws the refusal. */
export function createDoorman({ host, key, env, now, sessions }: DoorOptions) {
  const rpm = readRateLimit(env)
  const programs = rpm === undefined ? undefined : createRateLimit({ limit: rpm, now })
  const providers = rpm === undefined ? undefined : createRateLimit({ limit: rpm * DELIVERY_FACTOR, now })
  const persons = rpm === undefined ? undefined : createRateLimit({ limit: rpm * PERSON_FACTOR, now })

  function take(rate: RateLimit, request: FastifyRequest, reply: FastifyReply): void {
    const taken = rate.take(identifyClient(request.ip))
    reply.headers(makeRateLimitHeaders(rate, taken))
    if (!taken.allowed)
      throw new EngineError('RATE_LIMITED', `This address has sent ${rate.limit} requests within a minute.`)
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<Admitted> => {
    const { headers, method } = request
    const config: DoorConfig = request.routeOptions.config
    const own = key === undefined && isOwn(headers, { host, port: request.socket.localPort ?? 0 }, method)
    const keyed = key !== undefined && carriesKey(headers, key)
    const session = key === undefined || keyed ? undefined : sessions.find(headers.cookie)
    const isPerson = session !== undefined || (own && headers['sec-fetch-site'] === 'same-origin')
    const rate = config.delivery ? providers : isPerson ? persons : programs
    if (rate && isLimited(request)) take(rate, request, reply)
    const address = { client: identifyClient(request.ip) }
    if (key === undefined) {
      if (own || config.delivery) return address
      throw new EngineError(
        'HOST_REFUSED',
        'The Host, the Origin or the page that sent the request is not this server’s own.',
      )
    }
    if (keyed || config.open) return address
    if (!session) throw new EngineError('UNAUTHENTICATED', 'The request has no API key, or a wrong one.')
    refuseForged(request, session, config)
    return { client: `session ${session.name}`, session }
  }
}

/** What a browser sends by itself, the cookie, is no proof that its person wanted it: the page must be ours, and a write must carry the token. */
export function refuseForged(request: FastifyRequest, session: Session, { effect }: DoorConfig): void {
  const { headers, method } = request
  if (!isSameOrigin(headers, method))
    throw new EngineError('HOST_REFUSED', 'The page that sent the request is not this server’s own.')
  if (effect === 'read' || method === 'GET' || method === 'HEAD') return
  if (isTokenOf(session, headers['x-csrf-token'])) return
  throw new EngineError('FORBIDDEN', 'The request has no X-CSRF-Token, or that of another session.', {
    hint: 'GET /api/session has the token; reload the page.',
  })
}

/** READ_ONLY where a server that only shows is asked to change or run something. */
export function refuseWrite(
  row: Pick<ManifestRow, 'effect' | 'action' | 'summary'>,
  input: Record<string, unknown>,
): void {
  const isRead = row.effect === 'read' && input.refresh !== true && input.record !== true
  if (isRead) return
  throw new EngineError('READ_ONLY', `This server only shows what is stored, and refuses: ${row.summary}`)
}

/** By the route found, so that no spelling of an address gets round it; by the address where none was found. */
function isLimited(request: FastifyRequest): boolean {
  const url = request.routeOptions.url ?? request.url
  return url === MCP_PATH || url.startsWith('/api/')
}
