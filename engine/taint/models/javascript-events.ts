import type { SourceSpec } from '../model.ts'

const FORM = 'browser.FormData'
const EVENT = 'lambda.event'

/** How functions in the cloud ask for what they are called with. */
const ASKED_EVENT = [
  ...['queryStringParameters', 'pathParameters', 'multiValueQueryStringParameters', 'rawQueryString'],
  ...['event.body', 'event.headers', 'event.rawPath', '{ body }', '{body}'],
]

const of = (type: string, names: readonly string[]): string[] => names.map(name => `${type}.${name}`)

/** What reaches code otherwise than by a request of HTTP: arguments of resolvers, data of sockets, forms, events of clouds. */
export const JAVASCRIPT_EVENTS: SourceSpec[] = [
  {
    kind: 'request',
    label: 'comes with the request',
    parameters: [{ annotations: ['Args'] }],
    words: ['@Args(', 'Query', 'Mutation', 'Subscription'],
    near: [
      ...['@Args(', 'args', '_args', '_', '__', 'parent', '_parent', 'root', '_root'],
      ...['obj', '_obj', 'source', 'context', '_context', 'info'],
    ],
  },
  {
    kind: 'request',
    label: 'comes with the request',
    parameters: [{ annotations: ['MessageBody', 'Payload'] }],
    words: ['@MessageBody(', '@Payload(', 'io', 'ws', 'wss'],
    near: [
      ...['@MessageBody(', '@Payload('],
      ...['socket', '_socket', 'ws', 'client', 'conn', 'connection', 'webSocket', 'sock'].map(name => `${name}.on`),
    ],
  },
  {
    kind: 'request',
    label: 'the form that a page sent',
    carrier: true,
    type: FORM,
    parameters: [{ types: ['FormData'] }, { names: ['formData'] }],
    words: ['FormData', 'formData'],
  },
  {
    kind: 'request-text',
    label: 'comes with the form',
    calls: of(FORM, ['get', 'getAll', 'entries', 'values']),
    words: ['FormData', 'formData'],
  },
  {
    kind: 'request',
    label: 'the event',
    carrier: true,
    type: EVENT,
    parameters: [
      { names: ['event', 'lambdaEvent', 'apiEvent'] },
      { types: ['APIGatewayProxyEvent', 'APIGatewayProxyEventV2', 'APIGatewayEvent'] },
    ],
    words: ASKED_EVENT,
  },
  { kind: 'request', label: 'comes with the event', members: of(EVENT, ['body']), words: ASKED_EVENT },
  {
    kind: 'request-text',
    label: 'comes with the event',
    members: [
      ...of(EVENT, ['headers', 'rawPath', 'rawQueryString', 'multiValueHeaders', 'cookies']),
      '*.queryStringParameters',
      '*.pathParameters',
      '*.multiValueQueryStringParameters',
    ],
    words: ASKED_EVENT,
  },
]
