import type { SourceSpec } from '../../../base/records/taint-model.ts'
import { HANDLER_SOURCES } from './java-handlers.ts'
import { OUTSIDE } from './java-network.ts'

const REQUEST_METHODS = [
  'getParameter',
  'getParameterValues',
  'getParameterMap',
  'getParameterNames',
  'getQueryString',
  'getCookies',
  'getReader',
  'getInputStream',
  'getPart',
  'getParts',
]

const REQUEST_TYPES = ['servlet.http.HttpServletRequest', 'servlet.ServletRequest']

const asked = (names: readonly string[]): string[] =>
  REQUEST_TYPES.flatMap(type => names.map(name => `${type}.${name}`))

/** What is asked of a request where nothing else is known of it. */
const REQUEST_NEAR = ['HttpServletRequest', 'ServletRequest']

/**
 * What a container makes of the request line and the headers: header values hold no line breaks, the address is not decoded,
 * paths are decoded and have no `..` left in them.
 */
const PARSED: SourceSpec[] = [
  { calls: asked(['getHeader', 'getHeaders', 'getHeaderNames']), harmless: ['header'] },
  { calls: asked(['getRequestURI']), harmless: ['header'], begins: '/\uFFFC' },
  { calls: asked(['getRequestURL']), harmless: ['header'], begins: 'https://\uFFFC/' },
  { calls: asked(['getPathInfo']), harmless: ['path'], begins: '/\uFFFC' },
  { calls: asked(['getPathTranslated']), harmless: ['path'] },
].map(spec => ({
  kind: 'request',
  label: 'HTTP request data',
  words: REQUEST_NEAR,
  near: REQUEST_NEAR,
  ...spec,
}))

/** Annotations of parameters that are bound to a part of the request. */
const BOUND = [
  'RequestParam',
  'PathVariable',
  'RequestHeader',
  'RequestBody',
  'CookieValue',
  'MatrixVariable',
  'ModelAttribute',
  'RequestPart',
  'QueryParam',
  'PathParam',
  'FormParam',
  'HeaderParam',
  'CookieParam',
  'MatrixParam',
  'BeanParam',
  'QueryValue',
]

/** Where input comes from in Java: servlets, JAX-RS and Spring. */
export const SOURCES: SourceSpec[] = [
  {
    kind: 'request',
    label: 'HTTP request data',
    calls: [
      ...asked(REQUEST_METHODS),
      'servlet.http.Part.getSubmittedFileName',
      '~web.multipart.MultipartFile.getOriginalFilename',
      'web.multipart.MultipartFile.getBytes',
      'web.multipart.MultipartFile.getInputStream',
      'web.context.request.WebRequest.getParameter',
      'web.context.request.WebRequest.getHeader',
      '*.getParameterValues',
      'servlet.http.Cookie.getValue',
    ],
    words: [
      'HttpServletRequest',
      'ServletRequest',
      'WebRequest',
      'MultipartFile',
      'getSubmittedFileName',
      'getOriginalFilename',
      'getParameterValues',
      // Programs have cookies of their own; those of a request are imported.
      'servlet.http',
    ],
    near: [
      'HttpServletRequest',
      'ServletRequest',
      'WebRequest',
      'MultipartFile',
      'getSubmittedFileName',
      'getOriginalFilename',
      'getParameterValues',
      'Cookie',
    ],
  },
  ...PARSED,
  {
    kind: 'request',
    label: 'HTTP request data',
    calls: ['*.getParameter', '*.getHeader', '*.getQueryString', '*.getCookies'],
    // A request of a known type is the source above; these are the names of what is left.
    words: ['request', 'req', 'getRequest()', 'httpRequest', 'servletRequest', 'httpServletRequest'].flatMap(name =>
      ['getParameter', 'getHeader', 'getQueryString', 'getCookies'].map(method => `${name}.${method}`),
    ),
    receiver: '(?i)^(?:\\w*req\\w*|(?:\\w+(?:\\(\\))?\\.)*getRequest\\(\\)|this\\.request)$',
  },
  {
    kind: 'request',
    label: 'HTTP request data',
    // Swing's trees of text have a class of that name as well.
    words: BOUND.map(name => (name === 'ModelAttribute' ? '@ModelAttribute' : name)),
    parameters: [
      {
        annotations: BOUND,
      },
    ],
  },
  {
    kind: 'request',
    label: 'HTTP request data',
    // Spring binds what has no annotation and is no object of the framework to the request.
    parameters: [
      {
        types: ['String', 'String[]', 'MultipartFile'],
        decorated: '^(?:RequestMapping|GetMapping|PostMapping|PutMapping|DeleteMapping|PatchMapping)$',
        except: ['@Value', '@AuthenticationPrincipal', '@SessionAttribute', '@RequestAttribute'],
      },
    ],
    words: ['RequestMapping', 'GetMapping', 'PostMapping', 'PutMapping', 'DeleteMapping', 'PatchMapping'],
  },
  {
    kind: 'request',
    label: 'HTTP request data',
    calls: [
      ...['getRequestParameterMap', 'getRequestHeaderMap', 'getRequestCookieMap', 'getRequestParameterValuesMap'].map(
        name => `~faces.context.ExternalContext.${name}`,
      ),
      ...['getQueryParameters', 'getPathParameters', 'getRequestUri', 'getPath'].map(
        name => `ws.rs.core.UriInfo.${name}`,
      ),
      'ws.rs.core.HttpHeaders.getHeaderString',
      'ws.rs.core.HttpHeaders.getRequestHeader',
      'ws.rs.core.HttpHeaders.getRequestHeaders',
      ...['queryParam', 'queryParams', 'pathVariable', 'formData', 'bodyToMono'].map(
        name => `web.reactive.function.server.ServerRequest.${name}`,
      ),
      ...['getQueryParams', 'getHeaders', 'getBody', 'getCookies'].map(
        name => `http.server.reactive.ServerHttpRequest.${name}`,
      ),
      ...['queryParam', 'formParam', 'pathParam', 'body', 'header', 'cookie'].map(
        name => `io.javalin.http.Context.${name}`,
      ),
    ],
    words: [
      'getRequestParameterMap',
      'getRequestHeaderMap',
      'getRequestCookieMap',
      'getRequestParameterValuesMap',
      'UriInfo',
      'HttpHeaders',
      'ServerRequest',
      'ServerHttpRequest',
      'io.javalin.http',
    ],
    near: [
      'getRequestParameterMap',
      'getRequestHeaderMap',
      'getRequestCookieMap',
      'getRequestParameterValuesMap',
      'UriInfo',
      'uriInfo',
      'getQueryParameters',
      'getPathParameters',
      'HttpHeaders',
      'headers',
      'ServerRequest',
      'ServerHttpRequest',
      'Context',
    ],
  },
  {
    kind: 'request',
    label: 'HTTP request',
    carrier: true,
    parameters: [
      {
        types: ['HttpServletRequest', 'ServletRequest', 'HttpServletRequestWrapper', 'WebRequest', 'NativeWebRequest'],
      },
    ],
  },
  {
    kind: 'argument',
    label: 'command-line argument',
    parameters: [{ function: '^main$', types: ['String'], names: ['args', 'argv', 'arguments'] }],
    words: ['void main('],
  },
  { kind: 'environment', label: 'environment variable', calls: ['java.lang.System.getenv'] },
  ...HANDLER_SOURCES,
  ...OUTSIDE,
  {
    kind: 'random',
    label: 'predictable random number',
    calls: [
      ...['nextInt', 'nextLong', 'nextDouble', 'nextFloat', 'nextGaussian', 'nextBoolean', 'ints'].map(
        name => `java.util.Random.${name}`,
      ),
      'java.lang.Math.random',
      'java.util.concurrent.ThreadLocalRandom.nextInt',
      'java.util.concurrent.ThreadLocalRandom.nextLong',
      'org.apache.commons.lang3.RandomStringUtils.randomAlphanumeric',
      'org.apache.commons.lang3.RandomStringUtils.randomAlphabetic',
      'org.apache.commons.lang3.RandomStringUtils.randomNumeric',
      'org.apache.commons.lang3.RandomStringUtils.random',
    ],
  },
]
