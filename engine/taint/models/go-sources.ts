import type { SourceSpec } from '../model.ts'

const REQUEST = 'net/http.Request'
const CONTEXTS = [
  'github.com/gin-gonic/gin.Context',
  'github.com/labstack/echo.Context',
  'github.com/gofiber/fiber.Ctx',
]
const GETTERS = [
  'Query',
  'DefaultQuery',
  'QueryParam',
  'QueryParams',
  'QueryArray',
  'Param',
  'Params',
  'PostForm',
  'DefaultPostForm',
  'FormValue',
  'GetHeader',
  'Cookie',
  'GetRawData',
  'Body',
  'Cookies',
  'GetQuery',
  'GetPostForm',
  'PostFormArray',
  ...['Bind', 'BindJSON', 'BindQuery', 'BindUri', 'BindBody', 'BodyParser', 'QueryParser', 'ParamsParser'],
  ...['ShouldBind', 'ShouldBindJSON', 'ShouldBindQuery', 'ShouldBindUri', 'ShouldBindWith', 'ShouldBindBodyWith'],
]

/** Where input comes from in Go: net/http, its routers, Gin, Echo, Fiber, fasthttp, Beego and web sockets. */
export const SOURCES: SourceSpec[] = [
  {
    kind: 'request',
    label: 'comes with the request',
    calls: ['FormValue', 'PostFormValue', 'UserAgent', 'Referer', 'PathValue', 'Cookies'].map(
      name => `${REQUEST}.${name}`,
    ),
    members: ['Body', 'Form', 'PostForm', 'Header', 'MultipartForm'].map(name => `${REQUEST}.${name}`),
    words: ['http.Request'],
    near: ['http.Request'],
  },
  // What was asked for: it begins with the own host or a path on it, and the router has taken `..` out of the path.
  {
    kind: 'request',
    label: 'comes with the request',
    members: [`${REQUEST}.URL.Path`, 'net/url.URL.Path', 'net/url.URL.RawPath'],
    harmless: ['path'],
    begins: '/\uFFFC',
    words: ['http.Request'],
    near: ['http.Request'],
  },
  {
    kind: 'request',
    label: 'comes with the request',
    members: [`${REQUEST}.RequestURI`],
    begins: '/\uFFFC',
    words: ['http.Request'],
    near: ['http.Request'],
  },
  // Any other address of this type may be one that the program sends requests to.
  {
    kind: 'request',
    label: 'comes with the request',
    calls: ['net/url.URL.String', 'net/url.URL.RequestURI', 'net/url.URL.EscapedPath'],
    receiver: '\\.URL$',
    begins: '/\uFFFC',
    words: ['http.Request'],
    near: ['http.Request'],
  },
  {
    kind: 'request',
    label: 'comes with the request',
    members: [`${REQUEST}.URL`],
    begins: '/\uFFFC',
    type: 'net/url.URL',
    words: ['http.Request'],
    near: ['http.Request'],
  },
  {
    kind: 'request',
    label: 'comes with the request',
    calls: ['*.Query'],
    receiver: '^(?:r|req|request|c\\.Request)\\.URL$',
    words: ['URL.Query'],
  },
  {
    kind: 'request',
    label: 'comes with the request',
    calls: ['github.com/gorilla/mux.Vars', 'github.com/go-chi/chi.URLParam'],
  },
  {
    kind: 'request',
    label: 'comes with the request',
    calls: CONTEXTS.flatMap(type => GETTERS.map(name => `${type}.${name}`)),
    words: ['gin.Context', 'echo.Context', 'fiber.Ctx', 'gin-gonic/gin', 'labstack/echo', 'gofiber/fiber'],
    // A package may be imported under another name.
    near: ['.Context', '.Ctx'],
  },
  {
    kind: 'request',
    label: 'comes with the request',
    calls: ['github.com/julienschmidt/httprouter.Params.ByName'],
    words: ['httprouter.Params'],
    near: ['.ByName('],
  },
  {
    kind: 'request',
    label: 'comes with the request',
    calls: ['*.Get', '*.Values'],
    receiver: '\\.Request\\(\\)\\.Header$',
    words: ['echo.Context'],
    near: ['.Header.'],
  },
  {
    kind: 'request',
    label: 'comes with the request',
    calls: ['github.com/gofiber/fiber.Ctx.Get', 'github.com/gofiber/fiber.Ctx.GetReqHeaders'],
    words: ['fiber.Ctx', 'gofiber/fiber'],
    near: ['.Ctx'],
  },
  {
    kind: 'request',
    label: 'comes with the request',
    calls: ['FormValue', 'UserValue', 'PostBody', 'QueryArgs', 'PostArgs', 'Path', 'RequestURI', 'Referer'].map(
      name => `github.com/valyala/fasthttp.RequestCtx.${name}`,
    ),
    words: ['fasthttp.RequestCtx'],
    near: ['.RequestCtx'],
  },
  {
    kind: 'request',
    label: 'comes with the request',
    calls: ['*.Peek', '*.Body', '*.BodyUncompressed', '*.Cookie'],
    receiver: '^ctx\\.Request(?:\\.Header)?$',
    imports: '/fasthttp$',
    words: ['fasthttp.RequestCtx'],
    near: ['.Request.'],
  },
  {
    kind: 'request',
    label: 'comes with the request',
    calls: ['*.GetString', '*.GetStrings', '*.Query', '*.Param', '*.Header', '*.Cookie'],
    receiver: '^(?:\\w+\\.)?(?:this|c|ctx)(?:\\.Ctx)?(?:\\.Input)?$',
    imports: '/beego\\b',
    words: ['beego.Controller', 'web.Controller'],
    near: ['.GetString', '.Input.'],
  },
  {
    kind: 'request',
    label: 'comes over a web socket',
    calls: ['*.ReadMessage', '*.ReadJSON'],
    imports: 'gorilla/websocket$',
    // A socket that the program opens itself brings answers.
    words: ['websocket.Upgrader'],
    near: ['.ReadMessage(', '.ReadJSON('],
  },
  // A connection stands for what is read from it.
  {
    kind: 'network',
    label: 'comes over a connection',
    calls: ['net.Listener.Accept', 'net.TCPListener.Accept', 'net.TCPListener.AcceptTCP'],
    words: ['net.Listen', 'net.ListenTCP', 'net.Listener', 'net.TCPListener', 'tls.Listen'],
    near: ['Accept'],
  },
  {
    kind: 'network',
    label: 'comes over a connection',
    parameters: [{ types: ['Conn', 'TCPConn', 'UnixConn'] }],
    imports: '^net$',
    words: ['net.Conn', 'net.TCPConn', 'net.UnixConn'],
  },
  { kind: 'argument', label: 'an argument of the program', members: ['os.Args'] },
  { kind: 'environment', label: 'the environment', calls: ['os.Getenv'] },
]
