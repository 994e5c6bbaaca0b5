import type { SourceSpec } from '../../../base/records/taint-model.ts'
import { JAVASCRIPT_OUTSIDE } from './javascript-outside.ts'

/** What the client chooses of a request in any shape, and what always comes as text. */
const ANY_SHAPE = ['query', 'body', 'cookies', 'signedCookies', 'payload', 'rawBody']
const TEXTS = ['params', 'nextUrl', 'state']

/** No line break stands in a header, and no page of others sets one in a browser. */
const HEADERS = ['headers', 'rawHeaders', 'header']
const IN_HEADERS = ['html-undecoded', 'log-undecoded', 'header-undecoded']

/** The host that was asked for: whoever follows a link asks the one that it names. */
const HOSTS = ['hostname', 'host']

/** Parts of the address as they were sent: a line break in them is percent-encoded. */
const PARTS_OF_ADDRESS = ['path', 'href', 'querystring', 'search']
const IN_ADDRESSES = ['log-undecoded', 'header-undecoded']

/** The address that was asked for: it begins with the own host, or with a path on it. */
const ADDRESSES = ['url', 'originalUrl']

const REQUEST = 'http.request'
const HEADER_LIST = 'http.headers'
const CONTEXT = 'http.context'

/** How handlers call what they are given. */
const REQUESTS = ['req', 'request', '_req', '_request', 'httpRequest', 'ctx', 'c.req']

/** What stands in code that asks a request for something. */
const ASKED = REQUESTS.flatMap(name => [
  ...[
    ...ANY_SHAPE,
    ...TEXTS,
    ...HEADERS,
    ...HOSTS,
    ...PARTS_OF_ADDRESS,
    ...ADDRESSES,
    'request',
    'req',
    'get',
    'param',
    'json',
    'formData',
    'parseBody',
    'queries',
    'text',
  ].map(member => `${name}.${member}`),
  `${name}[`,
  `${name}?.`,
  `= ${name};`,
  `= ${name}\n`,
])

/** A request taken apart where it is declared. */
const PARTS = ['Request', 'express.Request', 'NextApiRequest', 'FastifyRequest', 'any, res'].map(type => `}: ${type}`)

/** In a function, a request that is handed on counts too. */
const NEAR = [
  ...ASKED,
  ...PARTS,
  ...['req', 'request', '_req', 'ctx'].flatMap(name => [`(${name},`, `(${name})`, `, ${name})`, `, ${name},`]),
  ...['res', 'response', 'reply', 'h', 'next'].map(name => `}, ${name}`),
]
const FILE = [...ASKED, ...PARTS, '}, res', '}, response', '}, reply', '}, h)', '}, next']

const of = (type: string, names: readonly string[]): string[] => names.map(name => `${type}.${name}`)

/** Under which name the program was asked for. */
const OWN_ADDRESS: SourceSpec = {
  kind: 'request-text',
  label: 'HTTP request data',
  harmless: IN_HEADERS,
  begins: '\uFFFC',
  words: FILE,
  near: NEAR,
}

/** Where input comes from in JavaScript on servers: requests, and what the program is started with. */
export const JAVASCRIPT_SOURCES: SourceSpec[] = [
  {
    kind: 'request',
    label: 'HTTP request',
    carrier: true,
    type: REQUEST,
    parameters: [
      { names: ['req', 'request', '_req', '_request', 'httpRequest'] },
      { types: ['NextApiRequest', 'NextRequest', 'FastifyRequest', 'IncomingMessage', 'ExpressRequest'] },
    ],
    words: FILE,
    near: NEAR,
  },
  {
    kind: 'request',
    label: 'HTTP request',
    carrier: true,
    type: CONTEXT,
    parameters: [{ names: ['ctx', 'c'] }],
    words: FILE,
    near: NEAR,
  },
  // What Next hands to the function that gets a page's data.
  {
    kind: 'request',
    label: 'HTTP request',
    carrier: true,
    type: CONTEXT,
    parameters: [{ names: ['context'] }, { types: ['GetServerSidePropsContext'] }],
    imports: '^next(?:[./]|$)',
    words: ['getServerSideProps'],
    near: ['context'],
  },
  {
    kind: 'request',
    label: 'HTTP request',
    carrier: true,
    type: REQUEST,
    members: [...of(CONTEXT, ['request', 'req']), '*.req', '*.request'],
    receiver: '^this(?:\\.ctx)?$',
    words: ['this.req.', 'this.request.', 'this.ctx.req', 'this.ctx.request'],
  },
  {
    kind: 'request',
    label: 'HTTP request',
    carrier: true,
    type: CONTEXT,
    members: ['*.ctx'],
    receiver: '^this$',
    words: ['this.ctx'],
  },
  {
    kind: 'request',
    label: 'HTTP request data',
    members: [...of(REQUEST, ANY_SHAPE), ...of(CONTEXT, ['query', 'cookies'])],
    calls: of(REQUEST, ['json', 'formData', 'parseBody', 'valid', 'file', 'files', 'parts', 'allParams']),
    words: FILE,
    near: NEAR,
  },
  {
    kind: 'request',
    label: 'HTTP request data',
    calls: ['readBody', 'getQuery', 'readFormData', 'readMultipartFormData', 'readValidatedBody', 'getValidatedQuery'],
  },
  {
    kind: 'request-text',
    label: 'HTTP request data',
    members: [...of(REQUEST, TEXTS), `${CONTEXT}.params`],
    calls: [...of(REQUEST, ['param', 'query', 'queries', 'text', 'pipe']), `${CONTEXT}.cookies.get`],
    words: FILE,
    near: NEAR,
  },
  {
    kind: 'request-text',
    label: 'HTTP request data',
    calls: ['cookies.get', 'getRouterParam', 'getRouterParams', 'next/headers.cookies', 'next/headers.headers'],
    members: ['*.context.params'],
    words: ['cookies.get', 'getRouterParam', 'getRouterParams', 'next/headers', 'context.params'],
  },
  { ...OWN_ADDRESS, members: [...of(REQUEST, HOSTS), ...of(CONTEXT, HOSTS), `${HEADER_LIST}.host`] },
  {
    ...OWN_ADDRESS,
    calls: [...of(REQUEST, ['get', 'header']), `${CONTEXT}.get`],
    when: [{ argument: 0, matches: '(?i)^host$' }],
  },
  {
    kind: 'request-text',
    label: 'HTTP request data',
    members: [...of(REQUEST, HEADERS), ...of(CONTEXT, ['headers', 'header'])],
    type: HEADER_LIST,
    harmless: IN_HEADERS,
    words: FILE,
    near: NEAR,
  },
  {
    kind: 'request-text',
    label: 'HTTP request data',
    calls: [...of(REQUEST, ['get', 'header']), `${CONTEXT}.get`],
    harmless: IN_HEADERS,
    words: FILE,
    near: NEAR,
  },
  { kind: 'request-text', label: 'HTTP request data', calls: ['getHeader'], harmless: IN_HEADERS },
  {
    kind: 'request-text',
    label: 'HTTP request data',
    members: [...of(REQUEST, PARTS_OF_ADDRESS), ...of(CONTEXT, ['path', 'querystring', 'href'])],
    harmless: IN_ADDRESSES,
    words: FILE,
    near: NEAR,
  },
  {
    kind: 'request-text',
    label: 'HTTP request data',
    members: [...of(REQUEST, ADDRESSES), ...of(CONTEXT, ADDRESSES)],
    harmless: IN_ADDRESSES,
    begins: '/\uFFFC',
    words: FILE,
    near: NEAR,
  },
  {
    kind: 'request-text',
    label: 'uploaded file name',
    members: ['*.originalname', '*.originalFilename'],
    receiver: '(?i)file|^f$',
  },
  {
    kind: 'request-text',
    label: 'uploaded file name',
    members: ['*.name'],
    receiver: '^(?:req|request)\\.files\\b',
    words: ['req.files', 'request.files'],
  },
  {
    kind: 'request',
    label: 'HTTP request data',
    parameters: [{ annotations: ['Query', 'Body', 'QueryParam', 'QueryParams', 'BodyParam', 'RawBody', 'Cookies'] }],
    words: ['@Query(', '@Body(', '@QueryParam(', '@BodyParam(', '@RawBody(', '@Cookies('],
  },
  {
    kind: 'request-text',
    label: 'HTTP request data',
    parameters: [{ annotations: ['Param', 'Params', 'Headers', 'HeaderParam', 'CookieParam', 'PathParam'] }],
    words: ['@Param(', '@Headers(', '@HeaderParam(', '@CookieParam(', '@PathParam('],
  },
  {
    kind: 'request',
    label: 'HTTP request',
    carrier: true,
    type: REQUEST,
    parameters: [{ annotations: ['Req', 'Request'] }],
    words: ['@Req('],
  },
  {
    kind: 'argument',
    label: 'command-line argument',
    members: ['process.argv'],
    words: ['argv'],
  },
  { kind: 'environment', label: 'environment variable', members: ['process.env'], words: ['process.env'] },
  ...JAVASCRIPT_OUTSIDE,
]
