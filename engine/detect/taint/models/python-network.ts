import type { SourceSpec } from '../../../base/records/taint-model.ts'

const ANSWER = 'response to an outgoing request'
const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'request']
/** What makes an object that sends requests. */
const CLIENTS = [
  'requests.Session',
  'requests.session',
  'httpx.Client',
  'httpx.AsyncClient',
  'ClientSession',
  'PoolManager',
]
const CONNECTION = 'network data'

/** What other machines send: over connections, and as answers to requests of the program's own. */
export const NETWORK: SourceSpec[] = [
  {
    kind: 'network',
    label: ANSWER,
    calls: [
      ...['requests', 'httpx', 'HTTP client'].flatMap(owner => METHODS.map(name => `${owner}.${name}`)),
      'urllib.request.urlopen',
      'urllib2.urlopen',
      'urllib.urlopen',
    ],
    // The modules' names are ones of common words and variables as well.
    words: [...METHODS.flatMap(name => [`requests.${name}(`, `httpx.${name}(`]), ...CLIENTS, 'urlopen('],
    near: ['requests.', 'httpx.', 'session.', 'client.', 'http.', ...CLIENTS, 'urlopen('],
  },
  {
    kind: 'network',
    label: CONNECTION,
    calls: ['*.recv', '*.recvfrom', '*.makefile'],
    imports: '^(?:socket|socketserver|ssl)(?:\\.|$)',
    words: ['socket', 'socketserver'],
    near: ['.recv(', '.recvfrom(', '.makefile('],
  },
  {
    kind: 'network',
    label: ANSWER,
    calls: ['*.getresponse'],
    imports: '^(?:http\\.client|httplib)(?:\\.|$)',
    words: ['getresponse'],
  },
  {
    kind: 'network',
    label: CONNECTION,
    parameters: [{ types: ['StreamReader'] }],
    words: ['StreamReader'],
  },
  {
    kind: 'network',
    label: CONNECTION,
    members: ['*.rfile'],
    receiver: '^self$',
    imports: '^socketserver(?:\\.|$)',
    words: ['self.rfile'],
  },
]
