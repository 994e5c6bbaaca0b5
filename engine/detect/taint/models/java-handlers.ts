import type { SourceSpec } from '../../../base/records/taint-model.ts'

/** A framework whose handlers are given one object that the input is asked of, mostly without its type (`ctx -> …`). */
interface Handlers {
  imports: string
  words: string[]
  receiver: string
  methods: string[]
}

/** What programs call the object of a handler; `it` in Kotlin. */
const CONTEXT = '(?:ctx|context|rc|it|event|routingContext|routing)'

const FRAMEWORKS: Handlers[] = [
  {
    imports: '^io\\.javalin\\b',
    words: ['io.javalin'],
    receiver: `^(?:${CONTEXT}|m|msg|message)$`,
    methods: [
      ...['queryParam', 'queryParams', 'queryParamMap', 'queryString', 'pathParam', 'pathParamMap'],
      ...['formParam', 'formParams', 'formParamMap', 'body', 'bodyAsClass', 'bodyAsBytes', 'bodyInputStream'],
      ...['header', 'headerMap', 'cookie', 'cookieMap', 'uploadedFile', 'uploadedFiles', 'message', 'messageAsClass'],
    ],
  },
  {
    imports: '^io\\.vertx\\b',
    words: ['io.vertx'],
    receiver: `^${CONTEXT}$`,
    methods: [
      ...['queryParam', 'queryParams', 'pathParam', 'pathParams', 'body', 'getBody', 'getBodyAsJson'],
      ...['getBodyAsString', 'getCookie', 'fileUploads', 'bodyAsJson', 'bodyAsString'],
    ],
  },
  {
    imports: '^io\\.vertx\\b',
    words: ['io.vertx'],
    receiver: `^(?:${CONTEXT}\\.request(?:\\(\\))?|req|request)$`,
    methods: ['getParam', 'params', 'getHeader', 'headers', 'getFormAttribute', 'formAttributes', 'getCookie', 'query'],
  },
  {
    imports: '^spark\\b',
    words: ['import static spark.', 'import spark.'],
    receiver: '^(?:req|request|q|it)$',
    methods: [
      ...['params', 'queryParams', 'queryParamOrDefault', 'queryParamsValues', 'queryMap', 'splat'],
      ...['body', 'bodyAsBytes', 'headers', 'cookie', 'cookies'],
    ],
  },
  {
    imports: '^org\\.http4k\\b',
    words: ['org.http4k'],
    receiver: '^(?:req|request|r|it)$',
    methods: [...['query', 'queries', 'path', 'header', 'headerValues', 'form', 'formAsMap', 'bodyString', 'cookie']],
  },
  {
    imports: '^play\\.(?:mvc|api)\\b',
    words: ['play.mvc', 'play.api'],
    receiver: '^(?:req|request)(?:\\(\\))?$',
    methods: ['body', 'getQueryString', 'queryString', 'header', 'cookie', 'bodyAsJson'],
  },
]

/** Where input comes from in frameworks whose handlers are functions: Javalin, Vert.x, Spark, http4k and Play. */
export const HANDLER_SOURCES: SourceSpec[] = [
  ...FRAMEWORKS.map(({ methods, ...handlers }) => ({
    kind: 'request',
    label: 'HTTP request data',
    calls: methods.map(name => `*.${name}`),
    near: methods.map(name => `${name}(`),
    ...handlers,
  })),
  {
    kind: 'request',
    label: 'HTTP request data',
    calls: ['*.bindFromRequest'],
    imports: '^play\\b',
  },
  // What Spring's WebFlux hands to a handler as a whole.
  {
    kind: 'request',
    label: 'HTTP request data',
    calls: [
      ...['getQueryParams', 'getHeaders', 'getCookies', 'getBody'].map(name => `*.${name}`),
      ...['queryParam', 'queryParams', 'pathVariable', 'param', 'body', 'awaitBody', 'formData', 'awaitFormData'].map(
        name => `*.${name}`,
      ),
      ...['queryParamOrNull', 'paramOrNull', 'awaitBodyOrNull', 'bodyToFlow', 'pathContainer'].map(name => `*.${name}`),
    ],
    receiver: '^(?:exchange\\.getRequest\\(\\)|exchange\\.request|(?:req|request|serverRequest))$',
    imports: '^org\\.springframework\\.web\\.(?:reactive\\.function\\.server|servlet\\.function|server)\\b',
    words: ['function.server', 'servlet.function', 'ServerWebExchange'],
    near: ['ServerRequest', 'ServerWebExchange', 'exchange'],
  },
  {
    kind: 'request',
    label: 'HTTP request data',
    calls: ['*.firstHeader', '*.header', '*.host'],
    receiver: '^(?:req|request|serverRequest)\\.headers\\(\\)$',
    imports: '^org\\.springframework\\.web\\.(?:reactive\\.function\\.server|servlet\\.function)\\b',
    words: ['function.server', 'servlet.function'],
    near: ['headers()'],
  },
  {
    kind: 'request',
    label: 'HTTP request data',
    calls: ['*.getFormData', '*.getMultipartData'],
    receiver: '^exchange$',
    words: ['ServerWebExchange'],
  },
  // Fields of a JAX-RS resource.
  {
    kind: 'request',
    label: 'HTTP request data',
    calls: ['QueryParam', 'PathParam', 'FormParam', 'HeaderParam', 'CookieParam', 'MatrixParam'].flatMap(name => [
      name,
      `ws.rs.${name}`,
    ]),
    // The functions that use such a field name it, and not its annotation.
    near: ['('],
  },
  // What has no annotation is the body, read into an object of its type.
  {
    kind: 'request',
    label: 'HTTP request body',
    parameters: [
      {
        decorated: '^(?:POST|PUT|PATCH)$',
        except: [
          ...['Context', 'Suspended', 'Inject', 'Auth', 'AuthenticationPrincipal', 'PathParam', 'QueryParam'].map(
            name => `@${name}`,
          ),
          ...['AsyncResponse', 'SecurityContext', 'UriInfo', 'HttpHeaders', 'Request', 'HttpServletRequest'],
          ...['HttpServletResponse', 'ServletContext', 'ContainerRequestContext', 'Sse', 'SseEventSink'],
        ],
      },
    ],
    // As a whole it is shown as its class says.
    harmless: ['log'],
    imports: '\\bws\\.rs\\b',
    words: ['ws.rs'],
    near: ['@POST', '@PUT', '@PATCH'],
  },
  // Names of uploads.
  {
    kind: 'request',
    label: 'uploaded file name',
    calls: [
      'http.codec.multipart.FilePart.filename',
      'io.micronaut.http.multipart.CompletedFileUpload.getFilename',
      'io.micronaut.http.multipart.StreamingFileUpload.getFilename',
      'org.jboss.resteasy.reactive.multipart.FileUpload.fileName',
      'io.vertx.ext.web.FileUpload.fileName',
      'io.javalin.http.UploadedFile.filename',
    ],
    words: ['FilePart', 'CompletedFileUpload', 'StreamingFileUpload', 'FileUpload', 'UploadedFile'],
    near: ['filename(', 'getFilename(', 'fileName('],
  },
  {
    kind: 'request',
    label: 'HTTP request data',
    calls: ['get', 'getFirst'].flatMap(name => [
      `io.micronaut.http.HttpParameters.${name}`,
      `io.micronaut.http.HttpHeaders.${name}`,
    ]),
    words: ['io.micronaut'],
    near: ['HttpRequest', 'HttpHeaders'],
  },
  {
    kind: 'request',
    label: 'HTTP request data',
    calls: ['*.getParameters', '*.getHeaders', '*.getBody'],
    receiver: '^(?:req|request)$',
    imports: '^io\\.micronaut\\.http\\b',
    words: ['io.micronaut'],
    near: ['HttpRequest'],
  },
  // What a message brings: a socket's, a queue's that a browser writes to, a query's argument.
  {
    kind: 'request',
    label: 'message payload',
    parameters: [
      { decorated: '^OnMessage$', types: ['String', 'byte[]', 'Reader', 'InputStream'] },
      { annotations: ['Payload', 'DestinationVariable', 'Argument'] },
    ],
    words: ['OnMessage', '@Payload', '@DestinationVariable', '@Argument'],
  },
  {
    kind: 'request',
    label: 'HTTP request data',
    parameters: [{ annotations: ['RestQuery', 'RestPath', 'RestForm', 'RestHeader', 'RestCookie', 'RestMatrix'] }],
    words: ['@RestQuery', '@RestPath', '@RestForm', '@RestHeader', '@RestCookie', '@RestMatrix'],
  },
  {
    kind: 'request',
    label: 'HTTP request data',
    parameters: [{ annotations: ['Body', 'Header', 'Part'] }],
    imports: '^io\\.micronaut\\.http\\b',
    words: ['io.micronaut'],
    near: ['@Body', '@Header', '@Part'],
  },
]
