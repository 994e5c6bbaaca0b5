import type { JsonSchema } from '../engine/base/json-schema.ts'
import { VERSION } from '../engine/base/version.ts'
import type { ManifestRow } from '../engine/door/operation.ts'
import type { Schemas } from '../engine/door/schemas.ts'
import { PROBLEM_TYPE } from './problem.ts'

/** A row's method and path, and the names in braces in it. */
export interface Route {
  method: string
  /** As in the specification: /api/audit/runs/{run_id}. */
  path: string
  params: string[]
}

/** Taken apart: `GET /api/audit/runs/{run_id}`. */
export function deriveRoute(rest: string): Route {
  const [method, path] = rest.split(' ', 2) as [string, string]
  return { method, path, params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!) }
}

/** Whether the method carries its input in a body. */
export function hasBody(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}

const KEYED = [{ apiKey: [] }, { bearer: [] }]

/**
 * The OpenAPI 3.1 document of the rows that REST offers: what a request may carry and what it is answered, with the same
 * words as the command line's help. `/health` and the auditor's page are the server's own.
 */
export function openApiDocument(
  rows: readonly ManifestRow[],
  schemas: (id: string) => Schemas,
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {
    '/health': { get: health() },
    '/auditor': { get: auditorPage() },
    '/api/session': sessionPath(),
  }
  const tags = new Set(['serve'])
  for (const row of rows) {
    if (row.rest === null) continue
    const route = deriveRoute(row.rest)
    tags.add(tagOf(row))
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(row, route, schemas(row.id)) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc',
      version: VERSION,
      summary: 'Scans, gate, findings and reports of a repository.',
      description:
        'Errors are problem documents (RFC 9457). Query arrays are given by repeating the name or by commas. A field may stand in the path, the query or the JSON body; given twice, it must be the same.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: [...tags].sort().map(name => ({ name })),
    security: [...KEYED, {}],
    paths,
    components: components(),
  }
}

function tagOf(row: ManifestRow): string {
  return row.id.split('.', 1)[0]!
}

function operationOf(row: ManifestRow, route: Route, { input, output }: Schemas): Record<string, unknown> {
  const properties = Object.entries(input.properties ?? {})
  const required = new Set(input.required ?? [])
  const body = properties.filter(([name]) => hasBody(route.method) && !route.params.includes(name))
  const query = hasBody(route.method)
    ? []
    : properties.filter(([name, { type }]) => !route.params.includes(name) && type !== 'object')
  const parameters = [
    ...route.params.map(name => parameter('path', name, input.properties?.[name] ?? { type: 'string' }, true)),
    ...query.map(([name, schema]) => parameter('query', name, schema, required.has(name))),
  ]
  const needed = body.map(([name]) => name).filter(name => required.has(name))
  return {
    operationId: row.id,
    tags: [tagOf(row)],
    summary: row.summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(row.delivery
      ? { requestBody: DELIVERY }
      : body.length > 0
        ? { requestBody: requestBody(row, body, needed) }
        : {}),
    responses: {
      200: { description: row.streams === true ? STREAM : 'The answer.', content: content(row, output) },
      ...refusals(route),
    },
  }
}

/** What a provider sends is its own; its documentation has it. */
const DELIVERY = { required: true, content: { 'application/json': { schema: { type: 'object' } } } }

const STREAM =
  'Server-sent events: `started`, `progress` {done, total, bytes, findings}, `finding`, and last `done` with the answer or `error` with a problem document.'

function content(row: ManifestRow, output: JsonSchema): Record<string, unknown> {
  if (row.streams) return { 'text/event-stream': { schema: { type: 'string' } } }
  if (row.raw) return { '*/*': { schema: { type: 'string' } } }
  return { 'application/json': { schema: output } }
}

function parameter(
  place: 'path' | 'query',
  name: string,
  schema: JsonSchema,
  required: boolean,
): Record<string, unknown> {
  const { description, ...rest } = schema
  return { name, in: place, required, ...(description ? { description } : {}), schema: rest }
}

function requestBody(
  { yaml_field }: ManifestRow,
  body: [string, JsonSchema][],
  required: string[],
): Record<string, unknown> {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(body),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  }
  const yaml = yaml_field !== undefined && { 'application/yaml': { schema: { type: 'string' } } }
  return { required: required.length > 0, content: { 'application/json': { schema }, ...yaml } }
}

function refusals({ method, path, params }: Route): Record<string, unknown> {
  const statuses = [
    '400',
    '401',
    '403',
    ...(params.length > 0 ? ['404'] : []),
    ...(hasBody(method) ? ['413', '415'] : []),
    '422',
  ]
  if (path.startsWith('/api/')) statuses.push('429')
  return Object.fromEntries(
    [...statuses, 'default'].map(status => [status, { $ref: `#/components/responses/${RESPONSES[status]![0]}` }]),
  )
}

/** Component name and description of each refusal. */
const RESPONSES: Record<string, readonly [name: string, description: string]> = {
  400: ['BadRequest', 'The request cannot be read.'],
  401: ['Unauthenticated', 'The server asks for a key, and the request has none or another.'],
  403: ['Forbidden', 'Not permitted, or sent by a page that is not the server’s own.'],
  404: ['NotFound', 'Nothing has that name.'],
  413: ['BodyTooLarge', 'The body is larger than 10 MiB.'],
  415: ['MediaType', 'The body is not application/json.'],
  422: ['InputInvalid', 'A field is unknown, missing or not what it must be.'],
  429: ['RateLimited', 'Too many requests from this address in the last minute.'],
  default: ['Problem', 'Any other error.'],
}

function components(): Record<string, unknown> {
  const limits = {
    RateLimit: { description: 'Requests left (r) and seconds until one more is free (t).', schema: { type: 'string' } },
    'RateLimit-Policy': { description: 'Requests (q) per seconds (w).', schema: { type: 'string' } },
    'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  }
  const problem = { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } }
  return {
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      bearer: { type: 'http', scheme: 'bearer' },
    },
    schemas: {
      Problem: {
        type: 'object',
        description: 'A problem document (RFC 9457).',
        properties: {
          type: { type: 'string', description: 'A URI that names the kind of error.' },
          title: { type: 'string', description: 'The kind of error in words; always the same for one code.' },
          status: { type: 'integer', description: 'The HTTP status.' },
          detail: { type: 'string', description: 'What happened this time, and the next step.' },
          code: { type: 'string', description: 'The row of the errors table.' },
        },
        required: ['type', 'title', 'status', 'detail', 'code'],
      },
    },
    responses: Object.fromEntries(
      Object.entries(RESPONSES).map(([status, [name, description]]) => [
        name,
        { description, ...(status === '429' ? { headers: limits } : {}), content: problem },
      ]),
    ),
  }
}

function health(): Record<string, unknown> {
  const schema = {
    type: 'object',
    properties: { status: { const: 'ok' }, version: { type: 'string' } },
    required: ['status', 'version'],
  }
  return {
    operationId: 'health',
    tags: ['serve'],
    summary: 'Say that the server is up, and its version.',
    security: [],
    responses: { 200: { description: 'It is up.', content: { 'application/json': { schema } } } },
  }
}

function auditorPage(): Record<string, unknown> {
  return {
    operationId: 'auditor.page',
    tags: ['auditor'],
    summary: 'The page of the auditor portal; its script reads the token and asks for the portal data.',
    security: [],
    parameters: [parameter('query', 'token', { type: 'string', description: 'An auditor token.' }, false)],
    responses: { 200: { description: 'The page.', content: { 'text/html': { schema: { type: 'string' } } } } },
  }
}

function sessionPath(): Record<string, unknown> {
  const schema = {
    type: 'object',
    properties: {
      required: { type: 'boolean', description: 'whether the server asks for a key' },
      signed_in: { type: 'boolean' },
      read_only: { type: 'boolean', description: 'whether the server refuses every change' },
      csrf_token: { type: 'string', description: 'what writes send in X-CSRF-Token' },
      expires_at: { type: 'string' },
    },
    required: ['required', 'signed_in', 'read_only'],
  }
  const answer = { description: 'How things stand.', content: { 'application/json': { schema } } }
  const refused = (...statuses: string[]) =>
    Object.fromEntries(statuses.map(status => [status, { $ref: `#/components/responses/${RESPONSES[status]![0]}` }]))
  const of = (operationId: string, summary: string, more: object, ...statuses: string[]) => ({
    ...{ operationId, tags: ['serve'], summary, security: [], ...more },
    responses: { 200: answer, ...refused(...statuses, '429', 'default') },
  })
  const body = {
    type: 'object',
    properties: { key: { type: 'string', description: 'the API key' } },
    required: ['key'],
  }
  return {
    get: of('session.show', 'Say whether the browser is signed in, and the token that its writes need.', {}),
    post: of(
      'session.open',
      'Sign in with the API key: the answer sets an HttpOnly cookie for 12 hours.',
      {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { ...body, additionalProperties: false } } },
        },
      },
      ...['401', '403', '422'],
    ),
    delete: of('session.close', 'Sign out.', {}, '403'),
  }
}
