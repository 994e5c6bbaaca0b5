import { setMaxListeners } from 'node:events'
import { STATUS_CODES } from 'node:http'
import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import helmet from 'helmet'
import type { Context } from '../engine/base/context.ts'
import { DIST } from '../engine/base/disk/assets.ts'
import { EngineError } from '../engine/base/errors.ts'
import { VERSION } from '../engine/base/version.ts'
import type { Effect, ManifestRow } from '../engine/door/operation.ts'
import type { Schemas } from '../engine/door/schemas.ts'
import { type Binding, describeRefusal, makeHandler } from './bind.ts'
import { type Admitted, createDoorman } from './doorman.ts'
import { createRequestFigures } from './figures.ts'
import { addMcpRoute, type LoadMcp } from './mcp.ts'
import { deriveRoute, openApiDocument } from './openapi.ts'
import { addPageRoutes, PAGE_POLICY, type PageFolders, renderLandingPage } from './pages.ts'
import { makePathHider, PROBLEM_TYPE, toProblem } from './problem.ts'
import { addSessionRoutes } from './session-routes.ts'
import { createSessions, type Sessions } from './sessions.ts'

/** Bytes of a request body (decisions "REST"). */
const BODY_LIMIT = 10 * 1024 * 1024
/** Bytes of a provider's delivery: a push of the 2,048 commits that GitHub names at most has some 2 MB. */
const DELIVERY_LIMIT = 5 * 1024 * 1024
/** Seconds after which a scan that found no place to wait may come again. */
const RETRY_AFTER = 5
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
/**
 * The headers of every answer, refusals included: nothing may be loaded by what is no page, no guessing of types, no framing, no address
 * given away. Pages bring a content policy of their own.
 */
const secure = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  // svc-ignore: node-helmet-protection-off -- plain HTTP, where it means nothing: a proxy that ends TLS sends it for its own domain
  strictTransportSecurity: false,
  xFrameOptions: { action: 'deny' },
})

/** What a route says of itself. */
type RouteOptions = Pick<ManifestRow, 'open' | 'delivery' | 'yaml_field'> & { effect?: Effect }

/** What a server is made of. */
export interface ApiOptions {
  rows: readonly ManifestRow[]
  schemas: (id: string) => Schemas
  /** Absolute folder of the project served. */
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** A line for the person at the server's terminal. */
  notice(text: string): void
  /** A line of the structured log, where there is one: one for each request. */
  log?: Context['log']
  /** The address it will listen on. */
  host: string
  /** The key that every route but /health and the pages asks for; absent only on loopback, where Host and Origin are checked instead. */
  key?: string
  /** Refuses everything that changes or runs something. */
  readOnly?: boolean
  /** The folder of the dashboard's files; left out, the one that was built with the program. */
  dashboard?: URL
  /** Answers requests at /mcp in the Model Context Protocol; absent where nothing is there. */
  mcp?: LoadMcp
  /** Milliseconds that never run backwards, for the rate limit. */
  now?: () => number
  /** Milliseconds between heartbeats of a stream. */
  heartbeat?: number
}

const IS_SOURCE = import.meta.url.endsWith('.ts')

/** The pages' files: in dist/ beside the program; in a test the sources, and as built what has to be built. */
const PAGES: PageFolders = {
  dashboard: new URL('dashboard/', DIST),
  report: IS_SOURCE ? new URL('../engine/assure/reports/html/page/', import.meta.url) : new URL('report-page/', DIST),
  reference: new URL('reference/', DIST),
  auditor: IS_SOURCE ? new URL('./auditor/', import.meta.url) : new URL('auditor/', DIST),
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before any handler. */
    admitted: Admitted
  }
  interface FastifyContextConfig {
    /** Answered without a key. */
    open?: boolean
    /** What it does to the world; left out of pages. */
    effect?: Effect
    /** Its body is handed over as it came. */
    delivery?: boolean
    /** The field that a body of YAML is the text of. */
    yaml_field?: string
  }
}

/**
 * The REST API over the rows, not yet listening. `invoke` is the only validator; here are the rules that hold for every
 * request: whose it is, how many, how large, and that every refusal is a problem document.
 */
export function createApi(options: ApiOptions): FastifyInstance {
  const figures = createRequestFigures()
  const closing = new AbortController()
  // As many requests as are under way listen to it.
  setMaxListeners(0, closing.signal)
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    routerOptions: { maxParamLength: 512 },
    frameworkErrors: (error, request, reply) => void refuse(error, request as FastifyRequest, reply as FastifyReply),
    clientErrorHandler,
  })
  const binding: Binding = {
    schemas: options.schemas,
    cwd: options.cwd,
    env: options.env,
    notice: options.notice,
    figures: figures.read,
    keyed: options.key !== undefined,
    readOnly: options.readOnly ?? false,
    hide: makePathHider({ [options.cwd]: '.', [homedir()]: '~', [fileURLToPath(DIST)]: '' }),
    log: (error, request) => options.notice(`${request.method} ${request.url.split('?', 1)[0]}: ${stackOf(error)}`),
    closing: closing.signal,
    heartbeat: options.heartbeat,
  }

  function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const problem = describeRefusal(error, binding, request)
    if (problem.status === 429 && !reply.hasHeader('retry-after')) reply.header('retry-after', String(RETRY_AFTER))
    if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
    // A request that fastify itself refuses has met no hook.
    secure(request.raw, reply.raw, () => {})
    return reply.code(problem.status).header('cache-control', 'no-store').type(PROBLEM_TYPE).send(problem)
  }

  const sessions = createSessions()
  const admit = createDoorman({ ...options, sessions })
  app.decorateRequest('admitted')
  app.addHook('onRequest', async (request, reply) => {
    secure(request.raw, reply.raw, () => {})
    request.admitted = await admit(request, reply)
  })
  app.addHook('onResponse', async (request, reply) => {
    const { url: route = 'none' } = request.routeOptions
    const { method } = request
    const [status, seconds] = [reply.statusCode, reply.elapsedTime / 1000]
    figures.observe({ method, route, status, seconds })
    const level = status >= 500 ? 'error' : 'info'
    options.log?.({ level, message: 'request', fields: { method, route, status, seconds, client: request.ip } })
  })
  app.addHook('preClose', async () => closing.abort())
  app.setErrorHandler(refuse)
  app.setNotFoundHandler(() => {
    throw new EngineError('NOT_FOUND', 'There is nothing at this address.', { hint: 'GET /api lists the addresses.' })
  })
  app.register(fastifyStatic, { serve: false, cacheControl: false })
  parseBodies(app)
  routes(app, options, binding, sessions)
  if (options.mcp) addMcpRoute(app, options.mcp, binding)
  return app
}

/** The media type of YAML (RFC 9512), and what it was called before it had one. A form cannot send them, so a browser asks first. */
const YAML = ['application/yaml', 'application/x-yaml', 'text/yaml']

/** Bodies are JSON, or YAML where a route takes a field's text so; none at all is an empty object, whatever type is declared. */
function parseBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else if (request.routeOptions.config.delivery) done(null, body)
    else parse(request, body.toString(), done)
  })
  app.addContentTypeParser(YAML, { parseAs: 'string' }, (request, body, done) => {
    const { yaml_field } = request.routeOptions.config
    if (yaml_field === undefined) done(new EngineError('MEDIA_TYPE', 'The body is not declared as JSON.'), undefined)
    else done(null, { [yaml_field]: body })
  })
}

function routes(app: FastifyInstance, options: ApiOptions, binding: Binding, sessions: Sessions): void {
  /** Methods offered at each path, for 405. */
  const offered = new Map<string, { methods: string[]; open: boolean }>()
  const add = (
    method: string,
    path: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
    { open = false, effect, delivery, yaml_field }: RouteOptions = {},
  ) => {
    const at = offered.get(path) ?? { methods: [], open }
    at.methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]))
    offered.set(path, at)
    app.route({
      ...{ method, url: path, config: { open, effect, delivery, yaml_field }, handler },
      ...(delivery && { bodyLimit: DELIVERY_LIMIT }),
    })
  }

  const session = { key: options.key, readOnly: options.readOnly ?? false, sessions, now: options.now }
  addSessionRoutes(session, (method, path, handler) => add(method, path, handler, { open: true }))
  add('GET', '/health', () => ({ status: 'ok', version: VERSION }), { open: true })
  const document = openApiDocument(options.rows, options.schemas)
  add('GET', '/openapi.json', () => document)
  add('GET', '/api', (_, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', PAGE_POLICY)
      .send(renderLandingPage(options.rows)),
  )
  addPageRoutes({ ...PAGES, ...(options.dashboard && { dashboard: options.dashboard }) }, (path, handler) =>
    add('GET', path, handler, { open: true }),
  )
  for (const row of options.rows) {
    if (row.rest === null) continue
    const { method, path } = deriveRoute(row.rest)
    const handler = makeHandler(row, binding)
    add(
      method,
      path.replaceAll(/\{(\w+)\}/g, ':$1'),
      (request, reply) => {
        if (row.streams !== true) reply.header('cache-control', 'no-store')
        return handler(request, reply)
      },
      row,
    )
  }
  for (const [path, { methods, open }] of offered) {
    const others = METHODS.filter(method => !methods.includes(method))
    const allow = methods.join(', ')
    const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('allow', allow)
      throw new EngineError('METHOD_NOT_ALLOWED', `${request.method} is not offered here, only ${allow}.`)
    }
    // Before the body is read: it does not matter what a method that is not offered carries.
    app.route({ method: others, url: path, config: { open }, preParsing: refuse, handler: refuse })
  }
}

function stackOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}

/** What is not HTTP at all, or too large a head, never reaches a route; it is refused in the same form. */
function clientErrorHandler(error: NodeJS.ErrnoException, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const body = JSON.stringify(toProblem(new EngineError('BAD_REQUEST', 'The request is not well-formed HTTP.')))
  socket.end(
    `HTTP/1.1 400 ${STATUS_CODES[400]}\r\nContent-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
