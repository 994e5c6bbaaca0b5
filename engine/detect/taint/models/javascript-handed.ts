import type { SourceSpec } from '../../../base/records/taint-model.ts'

const PARTS = 'http.parts'
const ADONIS = 'adonis.context'
const ADONIS_REQUEST = 'adonis.request'
const FEATHERS_PARAMS = 'feathers.params'
const FEATHERS_CONTEXT = 'feathers.context'
const SENT = 'HTTP request data'

/** Words of files whose handlers are given one object. */
const BY_PARTS = [
  '@sveltejs/kit',
  '$types',
  '@remix-run',
  'koa',
  '@koa/router',
  'elysia',
  'fastify',
  '@trpc/server',
  'astro',
  'getServerSideProps',
  'NextRequest',
]
const FEATHERS = ['@feathersjs', 'feathers-knex', 'feathers-mongoose', 'feathers-sequelize', 'feathers-mongodb']
const ADONIS_FILE = ['HttpContext', '@adonisjs/core', '@ioc']

const of = (type: string, names: readonly string[]): string[] => names.map(name => `${type}.${name}`)

/** What frameworks give their handlers in one object: SvelteKit, Remix, Koa, Elysia, Fastify, tRPC, Adonis; and what a socket was opened with. */
export const JAVASCRIPT_HANDED: SourceSpec[] = [
  {
    kind: 'request',
    label: 'HTTP request',
    carrier: true,
    type: PARTS,
    parameters: [{ names: ['{parts'] }, { annotations: ['Procedure'] }],
    words: BY_PARTS,
    near: ['('],
  },
  {
    kind: 'request',
    label: 'HTTP request',
    carrier: true,
    type: 'http.request',
    members: of(PARTS, ['request', 'req']),
    words: BY_PARTS,
    near: ['request', 'req'],
  },
  {
    kind: 'request',
    label: SENT,
    members: of(PARTS, ['body', 'query', 'input', 'cookies']),
    words: BY_PARTS,
    near: ['body', 'query', 'input', 'cookies'],
  },
  {
    kind: 'request-text',
    label: SENT,
    members: of(PARTS, ['params', 'headers', 'url']),
    words: BY_PARTS,
    near: ['params', 'headers', 'url'],
  },
  // What SvelteKit gives an action, by its usual name.
  {
    kind: 'request',
    label: 'HTTP request',
    carrier: true,
    type: PARTS,
    parameters: [{ names: ['event'] }],
    imports: '^@sveltejs/kit',
    words: ['@sveltejs/kit'],
    near: ['event'],
  },
  {
    kind: 'request',
    label: 'HTTP request',
    carrier: true,
    type: ADONIS,
    parameters: [{ types: ['HttpContext', 'HttpContextContract'] }],
    words: ADONIS_FILE,
    near: ['('],
  },
  {
    kind: 'request',
    label: 'HTTP request',
    carrier: true,
    type: ADONIS_REQUEST,
    members: of(ADONIS, ['request']),
    words: ADONIS_FILE,
    near: ['request'],
  },
  {
    kind: 'request',
    label: SENT,
    calls: of(ADONIS_REQUEST, [
      'input',
      'all',
      'qs',
      'body',
      'only',
      'except',
      'raw',
      'file',
      'files',
      'validateUsing',
    ]),
    words: ADONIS_FILE,
    near: ['request'],
  },
  {
    kind: 'request-text',
    label: SENT,
    members: of(ADONIS, ['params']),
    calls: of(ADONIS_REQUEST, ['header', 'headers', 'cookie', 'plainCookie', 'param', 'params', 'url', 'hostname']),
    words: ADONIS_FILE,
    near: ['params', 'request'],
  },
  {
    kind: 'request-text',
    label: 'WebSocket handshake data',
    members: ['*.query', '*.auth', '*.headers'],
    receiver: '^(?:this\\.)?(?:socket|client)\\.handshake$',
    words: ['handshake'],
  },
  // What Feathers gives the methods of a service, and the hooks around them.
  {
    kind: 'request',
    label: SENT,
    parameters: [{ annotations: ['ServiceData'] }],
    words: FEATHERS,
    near: ['data'],
  },
  {
    kind: 'request-text',
    label: SENT,
    parameters: [{ annotations: ['ServiceId'] }],
    words: FEATHERS,
    near: ['id'],
  },
  {
    kind: 'request',
    label: 'HTTP request',
    carrier: true,
    type: FEATHERS_PARAMS,
    parameters: [{ annotations: ['ServiceParams'] }],
    words: FEATHERS,
    near: ['params'],
  },
  {
    kind: 'request',
    label: 'HTTP request',
    carrier: true,
    type: FEATHERS_CONTEXT,
    parameters: [{ names: ['context', 'hook'] }],
    imports: '^(?:@feathersjs/|feathers-)',
    words: FEATHERS,
    near: ['context', 'hook'],
  },
  {
    kind: 'request',
    label: 'HTTP request',
    carrier: true,
    type: FEATHERS_PARAMS,
    members: of(FEATHERS_CONTEXT, ['params']),
    words: FEATHERS,
    near: ['params'],
  },
  {
    kind: 'request',
    label: SENT,
    members: [...of(FEATHERS_CONTEXT, ['data']), ...of(FEATHERS_PARAMS, ['query'])],
    words: FEATHERS,
    near: ['data', 'query'],
  },
  {
    kind: 'request-text',
    label: SENT,
    members: [...of(FEATHERS_CONTEXT, ['id']), ...of(FEATHERS_PARAMS, ['headers', 'route'])],
    words: FEATHERS,
    near: ['id', 'headers', 'route'],
  },
  // What Nest's messages carry where no annotation says so.
  {
    kind: 'request',
    label: 'client message',
    parameters: [
      {
        decorated: '^(?:SubscribeMessage|MessagePattern|EventPattern)$',
        names: ['data', 'payload', 'body', 'message', 'dto'],
      },
    ],
    words: ['@SubscribeMessage(', '@MessagePattern(', '@EventPattern('],
    near: ['data', 'payload', 'body', 'message', 'dto'],
  },
  {
    kind: 'request',
    label: 'remote call argument',
    members: ['*.data'],
    receiver: '^request$',
    imports: '^firebase-functions',
    words: ['firebase-functions'],
    near: ['request.data'],
  },
]
