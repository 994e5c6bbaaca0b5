import { createHash, timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import helmet from 'helmet'
import type { Context } from '../engine/base/context.ts'
import { EngineError } from '../engine/base/errors.ts'
import { PROBLEM_TYPE, toProblem, toRequestError } from './problem.ts'
import { createRateLimit, identifyClient, makeRateLimitHeaders, readRateLimit } from './rate-limit.ts'
import { addressOf, CLOSE_GRACE, listenError } from './start.ts'

/** The log that is served; engine/assure/notary/log.ts is the one. */
export interface ServedLog {
  verifier_key: string
  append(request: never): unknown
  checkpoint(): string
  consistency(from: number, to: number): string[]
  inclusion(index: number, size: number): string[]
  size(): number
}

/** Input of `svc notary serve`, with its open log. */
export interface NotaryInput {
  host: string
  /** 0 for any free one. */
  port: number
  log: ServedLog
}

/** A request is two short fields. */
const BODY_LIMIT = 4096
/** Clients that want to write need it where it is set: `Authorization: Bearer`. */
const TOKEN = 'GUARD_NOTARY_TOKEN'

const secure = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  // svc-ignore: node-helmet-protection-off -- plain HTTP, where it means nothing: a proxy that ends TLS sends it for its own domain
  strictTransportSecurity: false,
})

/** The notary's HTTP interface over a log, not yet listening. */
export function createNotary(log: ServedLog, env: Context['env']): FastifyInstance {
  const app = fastify({ bodyLimit: BODY_LIMIT, requestTimeout: 15_000, forceCloseConnections: 'idle' })
  const rpm = readRateLimit(env)
  const rate = rpm === undefined ? undefined : createRateLimit({ limit: rpm })
  app.setErrorHandler((error, _request, reply) => refuse(error, reply))
  app.setNotFoundHandler((_request, reply) =>
    refuse(new EngineError('NOT_FOUND', 'There is nothing at this address.'), reply),
  )
  app.addHook('onRequest', async (request, reply) => {
    secure(request.raw, reply.raw, () => {})
    reply.header('cache-control', 'no-store')
    if (!rate) return
    const taken = rate.take(identifyClient(request.ip))
    reply.headers(makeRateLimitHeaders(rate, taken))
    if (!taken.allowed)
      throw new EngineError('RATE_LIMITED', `This address has sent ${rate.limit} requests in a minute.`)
  })
  app.post('/v1/entries', request => {
    refuseStranger(request, env[TOKEN])
    return log.append(request.body as never)
  })
  app.get('/v1/checkpoint', (_request, reply) => reply.type('text/plain; charset=utf-8').send(log.checkpoint()))
  app.get('/v1/key', (_request, reply) => reply.type('text/plain; charset=utf-8').send(`${log.verifier_key}\n`))
  app.get('/v1/consistency', request => {
    const [from, to] = readNumbers(request, 'from', 'to')
    return { from, to, consistency: log.consistency(from, to) }
  })
  app.get('/v1/inclusion', request => {
    const [index, size] = readNumbers(request, 'index', 'size')
    return { index, size, inclusion: log.inclusion(index, size) }
  })
  return app
}

/** Listens until the context's signal aborts. CONFLICT where the port is taken. */
export async function serveNotary({ host, port, log }: NotaryInput, context: Context): Promise<void> {
  const app = createNotary(log, context.env)
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw listenError(error, host, port)
  }
  const address = addressOf(host, app.server.address() as AddressInfo)
  context.notice(`Notary: ${address}, ${log.size()} entries (Ctrl-C stops it)\nnotary.key: ${log.verifier_key}`)
  if (!context.signal.aborted)
    await new Promise(resolve => context.signal.addEventListener('abort', resolve, { once: true }))
  const force = setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE)
  await app.close()
  clearTimeout(force)
}

function refuse(error: unknown, reply: FastifyReply): FastifyReply {
  const problem = toProblem(toRequestError(error))
  return reply.code(problem.status).type(PROBLEM_TYPE).send(problem)
}

function refuseStranger({ headers }: FastifyRequest, token: string | undefined): void {
  if (!token) return
  const presented = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (timingSafeEqual(digest(presented), digest(token))) return
  throw new EngineError('UNAUTHENTICATED', 'The request has no token, or a wrong one.', {
    hint: 'Send it as Authorization: Bearer.',
  })
}

function readNumbers({ query }: FastifyRequest, ...names: [string, string]): [number, number] {
  return names.map(name => {
    const text = (query as Record<string, unknown>)[name]
    if (typeof text === 'string' && /^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text)
    throw new EngineError('INPUT_INVALID', `${name} must be a whole number from 0.`)
  }) as [number, number]
}
