import type { SourceSpec } from '../model.ts'
import { handed } from './php-handed.ts'

/** Where the frameworks keep the request, as it is written before the method. */
const REQUEST =
  '(?i)(?:^\\$|->|::)(?:get|getCurrent)?(?:request|req)(?:\\(\\))?(?:->(?:query|request|cookies|headers|getPayload\\(\\)|collect\\(\\)|safe\\(\\)))?$|^request\\(\\)$'
const NEAR = ['request->', 'req->', 'request()->', 'getRequest()->', 'getCurrentRequest()->']

const ATTRIBUTES = '(?i)(?:^\\$|->)(?:request|req)(?:\\(\\))?->attributes$'

/** Requests of PSR-7 that a program sends; those that it is sent are a `ServerRequestInterface`. */
const SENT_OUT = ['Psr.Http.Message.RequestInterface', 'GuzzleHttp.Psr7.Request', 'Nyholm.Psr7.Request']

const SENT = [
  'HTTP_USER_AGENT',
  'HTTP_COOKIE',
  'HTTP_ACCEPT_LANGUAGE',
  'HTTP_ACCEPT',
  'HTTP_X_FORWARDED_FOR',
  'HTTP_X_FORWARDED_HOST',
  'HTTP_CLIENT_IP',
  'HTTP_AUTHORIZATION',
  'QUERY_STRING',
  'PATH_INFO',
  'ORIG_PATH_INFO',
  'PATH_TRANSLATED',
  'PHP_AUTH_USER',
  'PHP_AUTH_PW',
]

/** The address of the request itself. */
const OWN = ['REQUEST_URI', 'PHP_SELF']

export const sources: SourceSpec[] = [
  ...handed,
  {
    kind: 'request',
    label: 'comes with the request',
    members: [
      '$_GET',
      '$_POST',
      '$_REQUEST',
      '$_COOKIE',
      '$_FILES',
      'php://input',
      '$HTTP_GET_VARS',
      '$HTTP_POST_VARS',
    ],
  },
  { kind: 'argument', label: 'an argument of the program', members: ['$_SERVER.argv'] },
  // The page before: what sends users back to it sends them nowhere new.
  { kind: 'request', label: 'comes with the request', members: ['$_SERVER.HTTP_REFERER'], harmless: ['redirect'] },
  // The request's own address leads back to the own host, and has no line breaks that a log would show.
  {
    kind: 'request',
    label: 'comes with the request',
    members: OWN.map(name => `$_SERVER.${name}`),
    harmless: ['redirect', 'log'],
  },
  { kind: 'request', label: 'comes with the request', members: SENT.map(name => `$_SERVER.${name}`) },
  {
    kind: 'request',
    label: 'comes with the request',
    calls: ['filter_input', 'getallheaders', 'apache_request_headers'],
  },
  {
    kind: 'request',
    label: 'comes with the request',
    calls: [
      'get',
      'query',
      'input',
      'post',
      'cookie',
      'header',
      'all',
      'only',
      'string',
      'getContent',
      'getParameter',
      'getParam',
      'getParams',
      'getQuery',
      'getPost',
      'getVar',
      'getGet',
      'getCookie',
      'getQueryParams',
      'getQueryParam',
      'getParsedBody',
      'getParsedBodyParam',
      'getCookieParams',
      'getHeaderLine',
      'getHeader',
      'getData',
      'getBody',
      'getRawBody',
      'getPathInfo',
      'getRequestUri',
      'get_param',
      'get_params',
      'get_json_params',
      'get_body',
      'get_query_params',
      'get_body_params',
      'get_header',
      'json',
      'userAgent',
      'validate',
      'validated',
      'safe',
      'collect',
      'toArray',
      'getPayload',
      'getGetPost',
      'getJSON',
      'getRawInput',
      'getServer',
      'getValue',
    ].map(name => `*.${name}`),
    receiver: REQUEST,
    exceptTypes: SENT_OUT,
    words: NEAR,
  },
  // What a router keeps beside the parts of the address that it matched.
  {
    kind: 'request',
    label: 'comes with the request',
    calls: ['*.get'],
    receiver: ATTRIBUTES,
    when: [{ argument: 0, not: '^_' }],
    words: NEAR,
  },
  {
    kind: 'request',
    label: 'comes with the request',
    calls: ['*.getUri', '*.path', '*.url', '*.fullUrl'],
    receiver: REQUEST,
    exceptTypes: SENT_OUT,
    words: NEAR,
    harmless: ['redirect'],
  },
  {
    kind: 'request',
    label: 'comes with the request',
    calls: [
      'Request.input',
      'Request.get',
      'Request.query',
      'Request.all',
      'Request.cookie',
      'Request.header',
      'Input.get',
      'Input.all',
      'Input.post',
    ],
    // Laravel's facade, and a request that is declared by its type.
    words: ['Request::', 'Input::', 'Request $'],
  },
  // What the router of Symfony takes out of the address: a text, whose type has no name here.
  {
    kind: 'request',
    label: 'is a part of the address',
    parameters: [{ decorated: '^Route$', types: [''] }],
    words: ['Route('],
  },
  { kind: 'request', label: 'comes with the request', calls: ['request'], words: ['request('] },
  // Laravel's request gives each field under its name.
  {
    kind: 'request',
    label: 'comes with the request',
    members: ['*.*'],
    receiver: '^\\$request$',
    imports: '^Illuminate[.\\\\]',
    words: ['request->'],
  },
  {
    kind: 'request',
    label: 'comes with the request',
    calls: ['*.get', '*.post', '*.get_post', '*.post_get', '*.cookie', '*.user_agent', '*.server'],
    receiver: '(?i)^\\$this->input$',
    words: ['this->input->'],
  },
  { kind: 'argument', label: 'an argument of the program', members: ['$argv'], calls: ['getopt'] },
  { kind: 'environment', label: 'the environment', calls: ['getenv'], members: ['$_ENV'] },
  { kind: 'stdin', label: 'what is typed in', members: ['STDIN', 'php://stdin'], calls: ['readline'] },
  {
    kind: 'stdin',
    label: 'what is typed in',
    calls: ['file_get_contents', 'file', 'fopen', 'stream_get_contents'],
    when: [{ argument: 0, matches: '^php://stdin$' }],
    words: ['php://stdin'],
  },
  {
    kind: 'network',
    label: 'answers a request of the program',
    calls: ['file_get_contents', 'file', 'fopen'],
    when: [{ argument: 0, matches: '^(?:https?|ftp)://' }],
    words: ['http://', 'https://', 'ftp://'],
    near: ['file_get_contents', 'file(', 'fopen'],
  },
  { kind: 'network', label: 'answers a request of the program', calls: ['curl_exec', 'wp_remote_retrieve_body'] },
  {
    kind: 'network',
    label: 'comes over a connection',
    calls: ['fsockopen', 'pfsockopen', 'stream_socket_client', 'stream_socket_accept', 'socket_read'],
  },
]
