import type { SourceSpec } from '../../../base/records/taint-model.ts'

const SENT = 'HTTP request data'
const RECEIVED = 'client message'
/** What a request is called: Rails' and Sinatra's, Rack's, Roda's. */
const RECEIVER = '^(?:self\\.)?@?(?:request|req|rack_request|r)$'
const NEAR = ['request.', 'req.', 'rack_request.', 'r.']

/** What comes with a request in Rails, Sinatra, Grape, Roda, Hanami, Rack and WEBrick, over a channel, and to a resolver. */
export const REQUEST: SourceSpec[] = [
  { kind: 'request', label: SENT, members: ['params', 'cookies'], calls: ['params'] },
  {
    kind: 'request',
    label: SENT,
    calls: [
      'params',
      'query_parameters',
      'request_parameters',
      'raw_post',
      'body',
      'user_agent',
      'headers',
      'env',
      'cookies',
      'fullpath',
      'original_url',
      'url',
      'query_string',
      'path_info',
      'GET',
      'POST',
    ].map(name => `*.${name}`),
    receiver: RECEIVER,
    words: NEAR,
  },
  {
    kind: 'request',
    label: SENT,
    // The page before, and the own path: what sends users back to it sends them nowhere new.
    calls: ['*.referer', '*.referrer', '*.path'],
    receiver: RECEIVER,
    words: NEAR,
    harmless: ['redirect'],
  },
  {
    kind: 'request',
    label: 'URL path parameter',
    parameters: [{ decorated: '^(?:get|post|put|patch|delete)$' }],
    words: ['get', 'post', 'put', 'patch', 'delete'],
    near: ['|'],
  },
  { kind: 'request', label: SENT, members: ['the headers'], words: ['Grape'], near: ['headers'] },
  // Roda hands the request to the block of its routes.
  {
    kind: 'request',
    label: 'HTTP request',
    carrier: true,
    type: 'Request',
    parameters: [{ decorated: '^route$', names: ['r', 'request', 'req'] }],
    words: ['route'],
    near: ['r.', 'request.', 'req.'],
  },
  {
    kind: 'request',
    label: SENT,
    calls: ['params', 'GET', 'POST', 'env', 'cookies', 'body', 'path', 'query_string', 'headers'].map(
      name => `Request.${name}`,
    ),
    words: ['route'],
    near: ['r.', 'request.', 'req.'],
  },
  // What the methods by which servers call an application are given.
  {
    kind: 'request',
    label: SENT,
    parameters: [
      { function: '^(?:call|handle)$', names: ['params'] },
      { function: '^do_(?:GET|POST|PUT|DELETE)$', names: ['request', 'req'] },
      { function: '^(?:lambda_)?handler$', names: ['event', 'event:'] },
    ],
    words: ['call', 'handle', 'do_GET', 'do_POST', 'do_PUT', 'do_DELETE', 'handler', 'lambda_handler'],
    near: ['params', 'request', 'req', 'event'],
  },
  {
    kind: 'request',
    label: SENT,
    parameters: [{ function: '^call!?$', names: ['env'] }],
    words: ['QUERY_STRING', 'PATH_INFO', 'REQUEST_PATH', 'rack.input', 'Rack'],
    near: ['env'],
    harmless: ['log'],
  },
  {
    kind: 'request',
    label: RECEIVED,
    parameters: [{ decorated: '^extends \\w*(?:Channel|Channel.Base)$', names: ['data'] }],
    words: ['Channel', 'ApplicationCable'],
    near: ['data'],
  },
  {
    kind: 'request',
    label: RECEIVED,
    parameters: [
      { decorated: '^extends \\w*(?:Mutation|Resolver)$', function: '^resolve$' },
      { decorated: '^extends (?:Object|Schema.Object|BaseObject)$', function: '^(?!initialize)' },
    ],
    words: ['argument'],
    near: ['resolve', 'field'],
  },
]
