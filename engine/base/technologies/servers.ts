/** A library that is a server: who imports it takes connections by its protocol. */
export interface ServerLibrary {
  name: string
  /** Packages of npm. */
  modules: readonly string[]
  /** The protocol, as an entry point says it. */
  method: string
}

/** Libraries whose import is an entry point. Frameworks with routes are forms of code. */
export const SERVERS: readonly ServerLibrary[] = [
  { name: 'MQTT broker', modules: ['aedes', 'mosca'], method: 'MQTT' },
  { name: 'HomeKit accessory server', modules: ['hap-nodejs', '@homebridge/hap-nodejs'], method: 'TCP' },
  { name: 'RTMP server', modules: ['node-media-server'], method: 'TCP' },
  { name: 'DNS server', modules: ['dns2', 'native-dns', 'mname'], method: 'DNS' },
  { name: 'WebDAV server', modules: ['webdav-server', 'nephele'], method: 'ANY' },
  { name: 'PeerServer', modules: ['peer'], method: 'WEBSOCKET' },
  { name: 'BitTorrent tracker', modules: ['bittorrent-tracker/server'], method: 'ANY' },
  { name: 'Socket server with TLS for HTTP', modules: ['spdy', 'http2-express-bridge'], method: 'ANY' },
  {
    name: 'static files over HTTP',
    modules: ['serve-handler', 'live-server', 'http-server', 'browser-sync'],
    method: 'ANY',
  },
  { name: 'reverse proxy', modules: ['http-proxy', 'http-proxy-middleware', 'redbird'], method: 'ANY' },
]

const BY_MODULE = new Map(SERVERS.flatMap(server => server.modules.map(name => [name, server] as const)))

/** The server that a package of npm is; undefined for other packages. */
export function findServer(module: string): ServerLibrary | undefined {
  return BY_MODULE.get(module)
}
