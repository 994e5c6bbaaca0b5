/** Members of Flask's and Quart's request. */
export const FLASK_MEMBERS = [
  'args',
  'form',
  'values',
  'json',
  'data',
  'files',
  'cookies',
  'headers',
  'view_args',
  'query_string',
  'full_path',
  'url',
  'base_url',
  'path',
  'referrer',
  'environ',
  'stream',
  'host',
  'host_url',
]
/** Names that nothing but a request's members have. */
export const OWN_MEMBERS = [
  'GET',
  'POST',
  'COOKIES',
  'META',
  'FILES',
  'query_params',
  'path_params',
  'matchdict',
  'match_info',
]
/** Members of requests that other objects have as well. */
export const MEMBERS = [
  'body',
  'headers',
  'data',
  'cookies',
  'args',
  'form',
  'json',
  'values',
  'query',
  'rel_url',
  'query_string',
  'files',
  'path',
  'path_info',
  // Pyramid
  'params',
  'json_body',
  'text',
  // Bottle
  'forms',
  'url_args',
  // Falcon
  'media',
  'bounded_stream',
  'uri',
  'relative_uri',
]
/** Methods of requests. */
export const CALLS = [
  'json',
  'form',
  'body',
  'post',
  'text',
  'read',
  'get_json',
  'get_data',
  'get_host',
  'get_param',
  'get_param_as_list',
  'get_header',
  'get_media',
  'get_cookie_values',
  // aiohttp
  'multipart',
]
/** Members of Bottle's and CherryPy's request. */
export const BOTTLE = [
  'query',
  'forms',
  'params',
  'json',
  'body',
  'cookies',
  'headers',
  'files',
  'GET',
  'POST',
  'url',
  'path',
  'query_string',
  'environ',
]

/** Members that are tables of texts, whatever the framework. */
export const TABLES: ReadonlySet<string> = new Set(
  'args form values files cookies view_args GET POST COOKIES META FILES query_params path_params matchdict match_info query params forms url_args'.split(
    ' ',
  ),
)

/** Words of files with frameworks whose requests are declared by their type, and of the functions that take one. */
export const BRINGS_TYPES = [
  'fastapi',
  'starlette',
  'django',
  'aiohttp',
  'falcon',
  'sanic',
  'litestar',
  'rest_framework',
  'werkzeug',
  'pyramid',
  'webob',
  'azure.functions',
]
export const TYPED = ['Request', 'HttpRequest', 'WebSocket', 'HTTPConnection', 'WSGIRequest', 'ASGIRequest', 'req']

/** Parameters that are no part of the address, whatever decorates the function. */
export const NOT_SENT = [
  'request',
  'req',
  'response',
  'db',
  'session',
  'self',
  'cls',
  'background_tasks',
  'int',
  'float',
  'bool',
  'UUID',
  'Request',
  'Response',
  'Session',
  'AsyncSession',
  'BackgroundTasks',
  'WebSocket',
  'datetime',
  'date',
  'settings',
  'current_user',
  'user',
  '=Depends',
  '=Security',
]
