import { findServer } from '../../base/technologies/servers.ts'
import type { CodeFile } from './code-file.ts'
import { ENDPOINT_FORMS } from './endpoint-forms.ts'
import { JAVASCRIPT } from './forms.ts'

/** A place at which a program takes requests. */
export interface Endpoint {
  /** In upper case; `ANY` where the code does not say one. */
  method: string
  /** As it is written there: prefixes of routers are not put before it. */
  path: string
  framework: string
  line: number
}

/** Of functions that are request handlers by their parameters: they count where no route of the program is known. */
export const HANDLER = 'request handler'

/** How words of frameworks stand for methods. */
const METHODS: Record<string, string> = {
  ...{ ROUTE: 'ANY', ALL: 'ANY', REQUEST: 'ANY', PATH: 'ANY', RE_PATH: 'ANY', URL: 'ANY', REGISTER: 'ANY' },
  ...{ API_ROUTE: 'ANY', HANDLE: 'ANY', HANDLEFUNC: 'ANY', MATCH: 'ANY', MAP: 'ANY', DEL: 'DELETE', ROOT: 'GET' },
  ...{ RESOURCES: 'ANY', RESOURCE: 'ANY', APIRESOURCE: 'ANY', CREATESERVER: 'ANY', DOFILTER: 'ANY', FILTER: 'ANY' },
  ...{ WEBSOCKETSERVER: 'WEBSOCKET', 'WEBSOCKET.SERVER': 'WEBSOCKET', 'IO.ON': 'WEBSOCKET', HUB: 'WEBSOCKET' },
  ...{ 'NEW APOLLOSERVER': 'GRAPHQL', GRAPHQLHTTP: 'GRAPHQL', CREATEYOGA: 'GRAPHQL', CREATEHANDLER: 'GRAPHQL' },
  ...{ WEBSOCKETROUTE: 'WEBSOCKET', GRPCSERVICE: 'RPC', SSE: 'GET' },
}
/** Forms whose endpoint is one for the whole server, with the method where the code names none. */
const WHOLE_FORMS: Readonly<Record<string, string>> = { 'socket server': 'TCP', WebSocket: 'WEBSOCKET' }
/** Endpoints that are one for the whole server. */
const WHOLE = new Set(['createServer', 'WebSocketServer', 'WebSocket.Server', 'io.on', 'new ApolloServer'])

/** Modules that a file of JavaScript imports. */
const MODULE = /\b(?:require\(|import\(|from\s{1,3}|import\s{1,3})\s{0,3}['"]([^'"\n./][^'"\n]{0,119})['"]/g
/** More endpoints of one file are not listed: no file that people write has them. */
const MOST = 2000

/** The endpoints that a file declares, in its order, each location once. */
export function listEndpoints(file: CodeFile): Endpoint[] {
  const { code, language, positions } = file
  const found = new Map<string, Endpoint>()
  for (const { name, languages, needs, pattern } of ENDPOINT_FORMS) {
    if (!languages.includes(language) || (needs.length > 0 && !needs.some(need => code.includes(need)))) continue
    const routers = JAVASCRIPT.includes(language) ? findRouters(code) : undefined
    for (const match of code.matchAll(pattern)) {
      const { method: word, path, receiver, rest = '' } = (match.groups ?? {}) as Record<string, string | undefined>
      const whole = WHOLE_FORMS[name]
      const method = whole ?? word ?? 'ANY'
      if (routers && receiver !== undefined && !routers.has(receiver)) continue
      const line = positions.at(match.index + match[0].search(/\S/)).line
      const written = whole !== undefined || name === 'server of a library' || WHOLE.has(method) ? '*' : (path ?? '')
      const endpoint = { method: readMethod(method, rest, written), path: written, framework: name, line }
      if (/^(?:GET|POST|PUT|PATCH|DELETE|HEAD) /.test(written)) endpoint.path = written.replace(/^\w+ /, '')
      const key = `${line}\0${endpoint.path}`
      if (!found.has(key) && found.size < MOST) found.set(key, endpoint)
    }
  }
  for (const endpoint of listActions(file)) {
    const near = [...found.values()].some(({ line }) => line <= endpoint.line && line > endpoint.line - 4)
    if (!near && found.size < MOST) found.set(`${endpoint.line}\0`, endpoint)
  }
  return [...found.values()].sort((a, b) => a.line - b.line)
}

function readMethod(word: string, rest: string, path: string): string {
  const upper = word.toUpperCase()
  const fromPath = /^(GET|POST|PUT|PATCH|DELETE|HEAD) /.exec(path)?.[1]
  if (fromPath) return fromPath
  const named = /(?:methods?\s{0,4}[=:]\s{0,4}|Methods\()[\s{[("']{0,6}(?:RequestMethod\.)?(\w{1,10})/.exec(rest)?.[1]
  if (path === '*' && /^(?:SMTP|TCP|UDP|FTP|SSH|SOCKET|DNS|LDAP|IMAP|POP3|MQTT|WEBSOCKET)$/.test(upper))
    return upper === 'SOCKET' ? 'TCP' : upper
  if (path === '*' && !Object.hasOwn(METHODS, upper)) return 'ANY'
  if (METHODS[upper] === 'ANY' || upper === 'ANY') return named?.toUpperCase() ?? 'ANY'
  return METHODS[upper] ?? upper
}

/** Names that hold a router in a file of JavaScript: what is made by a framework, and what frameworks pass under these names. */
function findRouters(code: string): Set<string> {
  const names = new Set(['app', 'router', 'server', 'fastify', 'this.app', 'this.router', 'this.server'])
  const made =
    /\b([\w$.]{1,60})(?:\s{0,5}:[^=\n]{1,60})?\s{0,5}=\s{0,5}(?:await\s{1,3})?(?:new\s{1,3})?(?:[\w$]{1,30}\.)?(?:express|Router|fastify|Fastify|Hono|OpenAPIHono|Elysia|polka|restify\.createServer|createServer|require\(['"](?:express|fastify|polka|koa-router|@koa\/router)['"]\)(?:\.Router)?|KoaRouter|Application)(?:<[^>\n]{0,60}>)?\(/g
  for (const [, name] of code.matchAll(made)) names.add(name!)
  // Compilers write `(0, express_1.default)()` and `express_1.Router()` for what was imported.
  const compiled =
    /\b([\w$.]{1,60})\s{0,5}=\s{0,5}(?:await\s{1,3})?(?:new\s{1,3})?(?:\(0,\s?)?(?:_|import_)?(?:express|fastify|hono|polka|koa_?router|router)(?:_\d{1,2})?\.(?:default|express|fastify|Fastify|Hono|Router)(?:\.Router)?\)?\(/gi
  for (const [, name] of code.matchAll(compiled)) names.add(name!)
  return names
}

/** Actions of controllers whose routes are elsewhere: public methods of classes that a framework calls. */
function* listActions({ code, language, path, positions }: CodeFile): Generator<Endpoint> {
  if (language === 'ruby' && /class\s+\w*Controller\b/.test(code)) {
    const end = /^\s*(?:private|protected)\s*$/m.exec(code)?.index ?? code.length
    for (const { 1: name, index } of code.slice(0, end).matchAll(/^[ \t]{1,20}def\s{1,5}(\w{1,80}[?!]?)/gm))
      yield { method: 'ANY', path: `#${name}`, framework: 'Rails', line: positions.at(index).line }
  }
  if (
    language === 'csharp' &&
    /class\s+\w+[^{]{0,200}:\s{0,5}(?:Controller(?:Base)?|ApiController|PageModel)\b/.test(code)
  ) {
    const action =
      /\bpublic\s{1,5}(?:(?:async|virtual|override)\s{1,5}){0,2}(?:Task<)?(?:IActionResult|ActionResult|JsonResult|ViewResult|ContentResult|FileResult|IEnumerable|string|object|void|Task)[\w<>?,. ]{0,60}\s{1,3}(\w{1,80})\s{0,3}\(/g
    for (const { 1: name, index } of code.matchAll(action))
      yield { method: 'ANY', path: `#${name}`, framework: 'ASP.NET Core', line: positions.at(index).line }
  }
  if (language === 'php' && /class\s+\w+[^{]{0,100}extends\s+\\?[\w\\]{0,80}Controller\b/.test(code)) {
    for (const { 1: name, index } of code.matchAll(
      /^[ \t]{1,20}public\s{1,5}function\s{1,5}((?!__)\w{1,80})\s{0,3}\(/gm,
    ))
      yield { method: 'ANY', path: `#${name}`, framework: 'PHP controller', line: positions.at(index).line }
  } else if (language === 'php') {
    const read = /\$_(?:GET|POST|REQUEST|COOKIE|FILES|SERVER)\b/.exec(code)
    if (read) yield { method: 'ANY', path: `/${path}`, framework: 'PHP', line: positions.at(read.index).line }
  }
  if (
    language === 'python' &&
    /\(\s{0,5}request\b/.test(code) &&
    /\bdjango\b/.test(code) &&
    !code.includes('urlpatterns')
  ) {
    for (const { 1: name, index } of code.matchAll(/^(?:async\s{1,4})?def\s{1,4}(\w{1,80})\(\s{0,5}request\b/gm))
      yield { method: 'ANY', path: `#${name}`, framework: 'Django', line: positions.at(index).line }
  }
  if (!JAVASCRIPT.includes(language)) return
  for (const { 1: module, index } of code.matchAll(MODULE)) {
    const server = findServer(module!)
    if (server) yield { method: server.method, path: '*', framework: server.name, line: positions.at(index).line }
  }
  yield* listFileRoutes(path, code, positions)
  for (const { index } of code.matchAll(
    /\(\s{0,10}req(?:uest)?\s{0,3}(?::\s{0,3}[\w.<>]{1,40})?\s{0,3},\s{0,3}res(?:ponse)?\b/g,
  ))
    yield { method: 'ANY', path: '#handler', framework: HANDLER, line: positions.at(index).line }
}

/** Routes that Next.js and SvelteKit take from the file's path. */
function* listFileRoutes(path: string, code: string, positions: CodeFile['positions']): Generator<Endpoint> {
  const app = /(?:^|\/)(?:app|routes)\/(.{0,200})\/(?:route|\+server)\.[jt]sx?$/.exec(path)?.[1]
  if (app !== undefined) {
    const named = /\bexport\s{1,5}(?:async\s{1,5})?(?:function|const)\s{1,5}(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b/g
    for (const { 1: method, index } of code.matchAll(named))
      yield { method: method!, path: `/${app}`, framework: 'Next.js', line: positions.at(index).line }
    return
  }
  const api = /(?:^|\/)pages\/(api\/.{1,200})\.[jt]sx?$/.exec(path)?.[1]
  if (api === undefined) return
  const handler = /\bexport\s{1,5}default\b|module\.exports\b/.exec(code)
  if (handler) yield { method: 'ANY', path: `/${api}`, framework: 'Next.js', line: positions.at(handler.index).line }
}
