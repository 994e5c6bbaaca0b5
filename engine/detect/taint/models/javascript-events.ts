import type { SourceSpec } from '../../../base/records/taint-model.ts'

const FORM = 'browser.FormData'
const EVENT = 'lambda.event'

/** How functions in the cloud ask for what they are called with. */
const ASKED_EVENT = [
  ...['queryStringParameters', 'pathParameters', 'multiValueQueryStringParameters', 'rawQueryString'],
  ...['body', 'headers', 'rawPath', 'cookies', 'multiValueHeaders'].flatMap(name => [
    ...[`event.${name}`, `event?.${name}`, `event['${name}`, `event["${name}`],
  ]),
  ...['{ body }', '{body}', '{ body,', '} = event;', '} = event\n'],
  ...['lambdaEvent', 'apiEvent', 'APIGatewayProxyEvent', 'APIGatewayProxyEventV2', 'APIGatewayEvent'],
]

const of = (type: string, names: readonly string[]): string[] => names.map(name => `${type}.${name}`)

/** What reaches code otherwise than by a request of HTTP: arguments of resolvers, data of sockets, forms, events of clouds. */
export const JAVASCRIPT_EVENTS: SourceSpec[] = [
  {
    kind: 'request',
    label: 'HTTP request data',
    parameters: [{ annotations: ['Args', 'Arg'] }],
    words: [
      '@Args(',
      '@Arg(',
      'GraphQLObjectType',
      'resolvers',
      ...['Query', 'Mutation', 'Subscription'].flatMap(type => [
        `${type}:`,
        `${type} =`,
        `${type}=`,
        `${type}'`,
        `${type}"`,
      ]),
    ],
    // Resolvers call what they are given as they like.
    near: ['('],
  },
  {
    kind: 'request',
    label: 'HTTP request data',
    parameters: [{ annotations: ['MessageBody', 'Payload'] }],
    words: ['@MessageBody(', '@Payload(', 'io', 'ws', 'wss', 'websocket', 'req.on', 'request.on'],
    near: [
      ...['@MessageBody(', '@Payload(', 'req.on', 'request.on'],
      ...['socket', 'ws', 'client', 'conn', 'connection', 'webSocket', 'sock'].flatMap(name => [
        ...[`${name}.on`, `${name}?.on`, `_${name}.on`, `_${name}?.on`],
      ]),
    ],
  },
  {
    kind: 'request',
    label: 'WebSocket message',
    parameters: [{ annotations: ['SocketEvent'] }],
    words: ['onmessage', 'addEventListener'],
    near: ['data'],
  },
  // What Firebase and Meteor call with a client's arguments.
  {
    kind: 'request',
    label: 'remote call argument',
    parameters: [{ annotations: ['Called'] }],
    words: ['onCall', 'Meteor.methods', 'Meteor.publish'],
    near: ['('],
  },
  {
    kind: 'request',
    label: 'submitted form data',
    carrier: true,
    type: FORM,
    parameters: [{ types: ['FormData'] }, { names: ['formData'] }],
    words: ['FormData', 'formData'],
  },
  {
    kind: 'request-text',
    label: 'submitted form data',
    calls: of(FORM, ['get', 'getAll', 'entries', 'values']),
    words: ['FormData', 'formData'],
  },
  {
    kind: 'request',
    label: 'event',
    carrier: true,
    type: EVENT,
    parameters: [
      { names: ['event', 'lambdaEvent', 'apiEvent'] },
      { types: ['APIGatewayProxyEvent', 'APIGatewayProxyEventV2', 'APIGatewayEvent'] },
    ],
    words: ASKED_EVENT,
  },
  { kind: 'request', label: 'event data', members: of(EVENT, ['body']), words: ASKED_EVENT },
  {
    kind: 'request-text',
    label: 'event data',
    members: [
      ...of(EVENT, ['headers', 'rawPath', 'rawQueryString', 'multiValueHeaders', 'cookies']),
      '*.queryStringParameters',
      '*.pathParameters',
      '*.multiValueQueryStringParameters',
    ],
    words: ASKED_EVENT,
  },
]
