import type { IncomingHttpHeaders } from 'node:http'
import { isIPv4 } from 'node:net'

/** Whether only this machine can reach a server that listens on the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

/**
 * Whether a request without a key may be answered on loopback. A page of another site can make the browser send
 * requests here: under a name of its own that it has pointed at 127.0.0.1 (DNS rebinding), or across sites. So Host and
 * Origin must be the server's own, and a browser that tells the sites apart (Fetch Metadata) must say that the page is
 * ours; only following a link (`navigate`) may start elsewhere.
 */
export function isOwn(
  headers: IncomingHttpHeaders,
  listening: { host: string; port: number },
  method: string,
): boolean {
  const hosts = ownHosts(listening)
  if (!hosts.has((headers.host ?? '').toLowerCase())) return false
  const { origin } = headers
  if (origin !== undefined && !hosts.has(origin.toLowerCase().replace(/^http:\/\//, ''))) return false
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return true
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

/**
 * Whether a request comes from a page of the address that it is sent to, by Origin and Fetch Metadata: for servers under any name,
 * where a session's cookie is what is at stake. Following a link may start elsewhere.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, method: string): boolean {
  const { origin, host } = headers
  if (origin !== undefined && origin.toLowerCase().replace(/^https?:\/\//, '') !== (host ?? '').toLowerCase())
    return false
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return true
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

function ownHosts({ host, port }: { host: string; port: number }): Set<string> {
  const names = new Set(['localhost', '127.0.0.1', '[::1]', host.includes(':') ? `[${host}]` : host.toLowerCase()])
  const own = new Set<string>()
  for (const name of names) {
    own.add(`${name}:${port}`)
    if (port === 80) own.add(name)
  }
  return own
}
