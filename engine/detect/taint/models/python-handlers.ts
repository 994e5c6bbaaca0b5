import type { SourceSpec } from '../../../base/records/taint-model.ts'
import { NOT_SENT } from './python-request-names.ts'

const SENT = 'HTTP request data'
const SERVED = 'event data'
const RECEIVED = 'client message'
/** Classes for which a checked form's values and the parts of an address are harmless: they are kept, written down and put into own addresses. */
const FORM_HARMLESS = ['redirect', 'log', 'trust']
/** What stands in front of the arguments of a resolver or a listener. */
const NOT_ASKED = ['self', 'cls', 'root', 'parent', 'obj', '_', 'info', 'context', ...NOT_SENT]

/** What frameworks hand over by the way in which a handler is written: resolvers, listeners of messages, servers of the standard library. */
export const HANDLERS: SourceSpec[] = [
  {
    kind: 'request',
    label: SENT,
    members: ['*.data'],
    receiver: '^(?:self\\.)?(?:form|\\w+_form)\\.\\w+$',
    imports: '^(?:flask|flask_wtf|wtforms)(?:\\.|$)',
    words: ['flask', 'wtforms'],
    near: ['form.'],
    // What a form has checked goes through more hands before it is a target.
    harmless: FORM_HARMLESS,
  },
  {
    kind: 'request',
    label: SENT,
    members: ['*.cleaned_data'],
    receiver: '^(?:self\\.)?(?:form|\\w+_form)$',
    imports: '^django(?:\\.|$)',
    words: ['form.cleaned_data'],
    harmless: FORM_HARMLESS,
  },
  {
    kind: 'request',
    label: SENT,
    members: ['*.validated_data'],
    receiver: '(?:^|_|\\.)serializer$',
    imports: '^rest_framework(?:\\.|$)',
    words: ['serializer.validated_data'],
  },
  {
    kind: 'request',
    label: SENT,
    calls: ['webargs.flaskparser.parser.parse'],
    words: ['webargs'],
    near: ['parser.parse('],
  },
  {
    kind: 'request',
    label: SENT,
    imports: '^(?:webargs|flask_smorest)(?:\\.|$)',
    parameters: [{ decorated: '(?:^|\\.)(?:use_args|use_kwargs|arguments)$', except: NOT_SENT }],
    words: ['webargs', 'flask_smorest'],
    near: ['use_args', 'use_kwargs', '.arguments('],
  },
  {
    kind: 'request',
    label: 'URL path parameter',
    imports: '^(?:django|rest_framework|sanic|starlette|falcon)(?:\\.|$)',
    parameters: [
      {
        decorated: '^extends (?:View|TemplateView|HTTPMethodView)$',
        function: '^(?:get|post|put|delete|patch)$',
        // Mostly a number by its pattern.
        except: ['pk', 'id', 'args', ...NOT_SENT],
      },
      {
        decorated: '^extends (?:APIView|\\w*GenericAPIView|\\w*ViewSet)$',
        function: '^(?:get|post|put|delete|patch|retrieve|update|partial_update|destroy)$',
        except: ['format', 'args', ...NOT_SENT],
      },
      { function: '^on_(?:get|post|put|delete|patch)$', except: ['resp', 'params', ...NOT_SENT] },
      { decorated: '^action$', except: ['format', 'args', ...NOT_SENT] },
    ],
    words: [
      'View',
      'APIView',
      'TemplateView',
      'HTTPMethodView',
      'ModelViewSet',
      'GenericViewSet',
      'ViewSet',
      'GenericAPIView',
      'falcon',
    ],
    near: ['get', 'post', 'put', 'delete', 'patch', 'on_get', 'on_post', 'on_put', 'on_delete']
      .map(name => `def ${name}(`)
      .concat('@action'),
    harmless: FORM_HARMLESS,
  },
  {
    kind: 'request',
    label: 'URL path parameter',
    imports: '^(?:web|cherrypy)(?:\\.|$)',
    parameters: [{ function: '^(?:GET|POST|PUT|DELETE|PATCH)$', except: NOT_SENT }],
    words: ['import web', 'from web', 'cherrypy'],
    near: ['def GET(', 'def POST(', 'def PUT(', 'def DELETE(', 'def PATCH('],
  },
  {
    kind: 'request',
    label: SENT,
    calls: ['web.input', 'web.data', 'web.cookies', 'web.rawinput'],
    members: ['web.ctx.env', 'web.ctx.query', 'web.ctx.path', 'web.ctx.fullpath', 'web.ctx.host'],
    words: ['import web', 'from web'],
    near: ['web.'],
  },
  {
    kind: 'request',
    label: SENT,
    imports: '^(?:litestar|starlite)(?:\\.|$)',
    parameters: [{ decorated: '^(?:get|post|put|delete|patch|route|websocket|websocket_listener)$', except: NOT_SENT }],
    words: ['litestar', 'starlite'],
    near: ['@'],
  },
  {
    kind: 'request',
    label: SENT,
    imports: '^(?:graphene|graphene_django|strawberry|ariadne)(?:\\.|$)',
    parameters: [
      {
        function: '^resolve_\\w+$',
        decorated: '^extends \\w*(?:ObjectType|Query|Type|Node|Interface)$',
        except: NOT_ASKED,
      },
      { function: '^(?:mutate|mutate_and_get_payload)$', except: NOT_ASKED },
      { decorated: '^strawberry\\.(?:field|mutation|subscription)$', except: NOT_ASKED },
      { decorated: '^(?:query|mutation|subscription|\\w+_type)\\.(?:field|source)$', except: NOT_ASKED },
    ],
    words: ['graphene', 'strawberry', 'ariadne'],
    near: ['resolve', 'mutate', '@'],
  },
  {
    kind: 'request',
    label: RECEIVED,
    imports: '^(?:flask_socketio|socketio)(?:\\.|$)',
    parameters: [{ decorated: '\\.(?:on|event|on_event)$', except: ['sid', 'environ', ...NOT_SENT] }],
    words: ['socketio'],
    near: ['.on', '.event'],
  },
  {
    kind: 'request',
    label: RECEIVED,
    imports: '^(?:tornado|starlette|fastapi|channels|autobahn)(?:\\.|$)',
    parameters: [
      {
        decorated: '^extends \\w*(?:WebSocket(?:Handler|Endpoint|ServerProtocol)|SockJSConnection|Consumer)$',
        function: '^(?:on_message|on_receive|receive|receive_json|onMessage)$',
        except: ['websocket', 'isBinary', ...NOT_SENT],
      },
    ],
    words: [
      'WebSocketHandler',
      'WebSocketEndpoint',
      'WebsocketConsumer',
      'AsyncWebsocketConsumer',
      'JsonWebsocketConsumer',
      'AsyncJsonWebsocketConsumer',
      'SockJSConnection',
      'WebSocketServerProtocol',
    ],
    near: ['on_message', 'on_receive', 'receive', 'onMessage'],
  },
  {
    kind: 'request',
    label: RECEIVED,
    calls: ['aiohttp.web.WebSocketResponse', 'quart.websocket.receive', 'quart.websocket.receive_json'],
    members: ['quart.websocket.args', 'quart.websocket.headers', 'quart.websocket.cookies'],
    words: ['WebSocketResponse', 'quart'],
    near: ['WebSocketResponse', 'websocket.'],
  },
  {
    kind: 'request',
    label: RECEIVED,
    imports: '^websockets(?:\\.|$)',
    parameters: [{ names: ['websocket', 'ws'] }],
    words: ['websockets'],
    near: ['websocket', 'ws'],
  },
  // What FastAPI hands to what makes a dependency.
  { kind: 'request', label: SENT, calls: ['the query'], words: ['fastapi'], near: ['Depends'] },
  // Servers of the standard library.
  {
    kind: 'request',
    label: SENT,
    members: ['*.path', '*.headers', '*.rfile'],
    receiver: '^self$',
    imports: '^(?:http\\.server|BaseHTTPServer)(?:\\.|$)',
    words: ['http.server', 'BaseHTTPServer', 'BaseHTTPRequestHandler'],
    near: ['self.path', 'self.headers', 'self.rfile'],
    // A header that was read holds no line break, and a server of this kind writes down what it likes.
    harmless: ['header-undecoded', 'log'],
  },
  {
    kind: 'request',
    label: SENT,
    parameters: [{ names: ['environ'], function: '^(?:application|app|wsgi|wsgi_app|simple_app|handler)$' }],
    words: ['start_response'],
    near: ['environ'],
    // The server's own settings are in it as well.
    harmless: ['log'],
  },
  { kind: 'request', label: SENT, calls: ['cgi.FieldStorage'], words: ['FieldStorage'] },
  // Functions of a cloud, whose event is what the client asked.
  {
    kind: 'request',
    label: SERVED,
    parameters: [{ function: '^(?:lambda_handler|handler)$', names: ['event'] }],
    words: ['queryStringParameters', 'pathParameters', 'event['],
    near: ['event'],
  },
  {
    kind: 'request',
    label: SENT,
    members: ['Request.params', 'Request.route_params', 'Request.headers', 'Request.form', 'Request.files'],
    calls: ['Request.get_json', 'Request.get_body'],
    words: ['azure.functions'],
    near: ['HttpRequest'],
  },
  {
    kind: 'request',
    label: SERVED,
    imports: '_pb2_grpc$|^grpc(?:\\.|$)',
    parameters: [{ decorated: '^extends \\w*Servicer$', names: ['request'] }],
    words: ['grpc'],
    near: ['request'],
  },
  // What people write to a bot.
  {
    kind: 'request',
    label: RECEIVED,
    imports: '^(?:discord|nextcord|disnake)(?:\\.|$)',
    parameters: [
      {
        decorated: '\\.(?:command|slash_command|hybrid_command)$',
        except: ['ctx', 'interaction', 'Member', 'User', 'TextChannel', 'Role', ...NOT_SENT],
      },
    ],
    words: ['discord', 'nextcord', 'disnake'],
    near: ['command'],
  },
  {
    kind: 'request',
    label: RECEIVED,
    imports: '^slack_bolt(?:\\.|$)',
    parameters: [
      {
        decorated: '\\.(?:command|event|message|action|shortcut|view)$',
        names: ['command', 'event', 'message', 'body', 'payload', 'view', 'action'],
      },
    ],
    words: ['slack_bolt'],
    near: ['@'],
  },
  {
    kind: 'request',
    label: RECEIVED,
    members: ['*.text', '*.caption', '*.args'],
    receiver: '^(?:update\\.(?:effective_)?message|message|context)$',
    imports: '^(?:telegram|telebot|aiogram)(?:\\.|$)',
    words: ['telegram', 'telebot', 'aiogram'],
    near: ['.text', '.caption', '.args'],
  },
]
