import type { SourceSpec } from '../../../base/records/taint-model.ts'
import { HANDLERS } from './python-handlers.ts'
import { NETWORK } from './python-network.ts'
import {
  BOTTLE,
  BRINGS_TYPES,
  CALLS,
  FLASK_MEMBERS,
  MEMBERS,
  NOT_SENT,
  OWN_MEMBERS,
  TABLES,
  TYPED,
} from './python-request-names.ts'

/** Modules that bring a `request` along: an object of that name in a file that imports none of them is something else. */
const FRAMEWORK =
  '^(?:flask|django|rest_framework|aiohttp|starlette|fastapi|sanic|pyramid|webob|werkzeug|quart|litestar|ninja|falcon|bottle|tornado|cherrypy|wagtail|channels|responder|robyn|blacksheep|connexion|graphene|oauthlib|twisted|odoo|functions_framework|azure\\.functions)(?:\\.|$)|^(?:django|flask|drf)_\\w+'

/** Fields of a request that are its own path, with what follows it or without. */
const ADDRESS_MEMBERS = new Set(['path', 'full_path', 'path_info', 'uri', 'relative_uri'])
const ADDRESS = 'URL path parameter'
const SENT = 'HTTP request data'
const UNBROKEN = ['header-undecoded']

/** A source, and apart from it those of its members that are tables: as a whole they write line breaks escaped. */
function withTables(spec: SourceSpec): SourceSpec[] {
  const isTable = (member: string) => TABLES.has(member.slice(member.lastIndexOf('.') + 1))
  const { calls: _, members = [], ...same } = spec
  const tables = { ...same, members: members.filter(isTable), harmless: ['log-whole'] }
  const others = members.filter(each => !isTable(each))
  return others.length > 0 ? [{ ...spec, members: others }, tables] : [tables]
}

/** Where input comes from in Python: Flask, Django, FastAPI, Starlette, aiohttp, Tornado, Pyramid, Bottle, Falcon and CherryPy. */
export const SOURCES: SourceSpec[] = [
  // A header of a request makes no further header of an answer until it is decoded: servers refuse one with a line break.
  {
    kind: 'request',
    label: SENT,
    members: ['flask.request.headers', 'quart.request.headers'],
    words: ['flask', 'quart'],
    near: ['request'],
    harmless: UNBROKEN,
  },
  {
    kind: 'request',
    label: SENT,
    members: ['*.headers'],
    receiver: '^(?:self\\.)?request$',
    imports: FRAMEWORK,
    words: ['request.headers'],
    harmless: UNBROKEN,
  },
  {
    kind: 'request',
    label: SENT,
    members: ['Request.headers'],
    words: BRINGS_TYPES,
    near: TYPED,
    harmless: UNBROKEN,
  },
  ...withTables({
    kind: 'request',
    label: SENT,
    members: FLASK_MEMBERS.filter(name => name !== 'headers' && !ADDRESS_MEMBERS.has(name)).flatMap(name => [
      `flask.request.${name}`,
      `quart.request.${name}`,
    ]),
    calls: ['flask.request.get_json', 'flask.request.get_data', 'quart.request.get_json', 'quart.request.get_data'],
    words: ['flask', 'quart'],
    near: ['request'],
  }),
  ...withTables({
    kind: 'request',
    label: SENT,
    members: BOTTLE.flatMap(name => [`bottle.request.${name}`, `cherrypy.request.${name}`]),
    calls: ['bottle.request.get_cookie', 'bottle.request.get_header'],
    words: ['bottle', 'cherrypy'],
    near: ['request'],
  }),
  ...withTables({
    kind: 'request',
    label: SENT,
    members: OWN_MEMBERS.map(name => `*.${name}`),
    receiver: '^(?:self\\.)?request$',
    words: OWN_MEMBERS.map(name => `request.${name}`),
  }),
  ...withTables({
    kind: 'request',
    label: SENT,
    members: MEMBERS.filter(name => name !== 'headers' && !ADDRESS_MEMBERS.has(name)).map(name => `*.${name}`),
    receiver: '^(?:self\\.)?request$',
    imports: FRAMEWORK,
    words: MEMBERS.map(name => `request.${name}`),
  }),
  // The path of the request, which begins on the own host.
  {
    kind: 'request',
    label: SENT,
    members: [...ADDRESS_MEMBERS].flatMap(name => [`flask.request.${name}`, `quart.request.${name}`]),
    words: ['flask', 'quart'],
    near: ['request'],
    harmless: ['redirect'],
  },
  {
    kind: 'request',
    label: SENT,
    members: [...ADDRESS_MEMBERS].map(name => `*.${name}`),
    receiver: '^(?:self\\.)?request$',
    imports: FRAMEWORK,
    words: [...ADDRESS_MEMBERS].map(name => `request.${name}`),
    harmless: ['redirect'],
  },
  {
    kind: 'request',
    label: SENT,
    calls: CALLS.map(name => `*.${name}`),
    receiver: '^(?:self\\.)?request$',
    imports: FRAMEWORK,
    words: CALLS.map(name => `request.${name}(`),
  },
  // The request's own address: it leads back to the own host, and Django encodes line breaks and markup in it.
  {
    kind: 'request',
    label: SENT,
    calls: ['*.get_full_path', '*.build_absolute_uri'],
    receiver: '^(?:self\\.)?request$',
    imports: FRAMEWORK,
    words: ['request.get_full_path(', 'request.build_absolute_uri('],
    harmless: ['redirect', 'url', 'log', 'header', 'html'],
  },
  // Requests under another name, by the declared type of the parameter or as Falcon hands them over.
  {
    kind: 'request',
    label: 'HTTP request',
    carrier: true,
    type: 'Request',
    imports: FRAMEWORK,
    parameters: [
      { types: ['Request', 'HttpRequest', 'HTTPConnection', 'WebSocket', 'WSGIRequest', 'ASGIRequest'] },
      { function: '^on_(?:get|post|put|delete|patch|head|options)(?:_\\w+)?$', names: ['req', 'request'] },
    ],
    words: BRINGS_TYPES,
    near: TYPED,
  },
  ...withTables({
    kind: 'request',
    label: SENT,
    members: [...OWN_MEMBERS, ...MEMBERS.filter(name => name !== 'headers')].map(name => `Request.${name}`),
    calls: [...CALLS, 'receive_text', 'receive_json'].map(name => `Request.${name}`),
    words: BRINGS_TYPES,
    near: TYPED,
  }),
  {
    kind: 'request',
    label: SENT,
    calls: [
      '*.get_argument',
      '*.get_arguments',
      '*.get_query_argument',
      '*.get_query_arguments',
      '*.get_body_argument',
      '*.get_body_arguments',
      '*.get_cookie',
    ],
    members: ['*.path_kwargs', '*.path_args'],
    receiver: '^self$',
  },
  {
    kind: 'request',
    label: ADDRESS,
    members: ['*.kwargs'],
    receiver: '^self$',
    imports: '^(?:django|rest_framework)(?:\\.|$)',
    words: ['self.kwargs'],
  },
  {
    kind: 'request',
    label: ADDRESS,
    // Flask's, Starlette's and FastAPI's routes.
    parameters: [
      {
        decorated: '\\.(?:route|get|post|put|delete|patch|options|head|api_route|websocket)$',
        except: NOT_SENT,
      },
    ],
    words: [
      'flask',
      'fastapi',
      'starlette',
      'bottle',
      'sanic',
      'quart',
      'falcon',
      'APIRouter',
      '@app.',
      '@router.',
      '@bp.',
      '@api.',
      '.route(',
    ],
    near: ['@'],
  },
  {
    kind: 'request',
    label: ADDRESS,
    imports: '^(?:bottle|cherrypy)(?:\\.|$)',
    parameters: [{ decorated: '^(?:route|get|post|put|delete|cherrypy\\.expose|expose)$', except: NOT_SENT }],
    words: ['bottle', 'cherrypy'],
    near: ['@'],
  },
  {
    kind: 'request',
    label: ADDRESS,
    imports: '^(?:tornado|flask|flask_restful|flask_restx|quart|falcon)(?:\\.|$)',
    parameters: [
      {
        decorated: '^extends (?:\\w*Handler|MethodView|Resource|View)$',
        function: '^(?:get|post|put|delete|patch|head|dispatch_request)$',
        except: NOT_SENT,
      },
    ],
    words: ['tornado', 'MethodView', 'flask_restful', 'flask_restx', 'flask.views', 'quart'],
    near: ['get', 'post', 'put', 'delete', 'patch', 'head', 'dispatch_request'].map(name => `def ${name}(`),
  },
  {
    kind: 'argument',
    label: 'command-line argument',
    members: ['sys.argv'],
    calls: ['*.parse_args', '*.parse_known_args'],
  },
  {
    kind: 'argument',
    label: 'command-line argument',
    parameters: [{ decorated: '^(?:click\\.)?(?:argument|option)$', except: ['ctx', 'context', 'int', 'Path'] }],
    imports: '^click(?:\\.|$)',
    words: ['click'],
    near: ['argument(', 'option('],
  },
  { kind: 'environment', label: 'environment variable', members: ['os.environ'], calls: ['os.getenv'] },
  {
    kind: 'random',
    words: ['random.', 'from random'],
    near: ['random', 'randint', 'randrange', 'uniform', 'getrandbits', 'choice', 'choices', 'sample', 'randbytes'],
    label: 'predictable random number',
    calls: [
      'random',
      'randint',
      'randrange',
      'uniform',
      'getrandbits',
      'choice',
      'choices',
      'sample',
      'triangular',
      'gauss',
      'normalvariate',
      'randbytes',
      'betavariate',
      'expovariate',
    ].map(name => `random.${name}`),
  },
  {
    kind: 'stdin',
    label: 'standard input',
    members: ['sys.stdin'],
    calls: ['input', 'raw_input', 'getpass.getpass', 'fileinput.input'],
    words: ['input(', 'raw_input(', 'sys.stdin', 'import stdin', 'getpass('],
  },
  ...HANDLERS,
  ...NETWORK,
]
