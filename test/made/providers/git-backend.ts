import { execFileSync, spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'

const BACKEND = join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend')

/** Serves bare repositories below a directory as git does over HTTP, to requests with this Authorization header. Answers false for other paths. */
export function makeGitBackend(top: string, authorization: string, seen: string[]) {
  return (incoming: IncomingMessage, outgoing: ServerResponse): boolean => {
    const { pathname, search } = new URL(incoming.url!, 'http://localhost')
    if (!/^\/[\w/]+\.git\//.test(pathname)) return false
    seen.push(`${incoming.method} ${pathname}`)
    if (incoming.headers.authorization !== authorization) {
      outgoing.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return true
    }
    const child = spawn(BACKEND, {
      env: {
        ...{
          PATH: process.env.PATH,
          GIT_PROJECT_ROOT: top,
          GIT_HTTP_EXPORT_ALL: '1',
          REMOTE_USER: 'svc',
          REMOTE_ADDR: '127.0.0.1',
        },
        ...{ PATH_INFO: pathname, QUERY_STRING: search.slice(1), REQUEST_METHOD: incoming.method },
        ...{
          CONTENT_TYPE: incoming.headers['content-type'] ?? '',
          GIT_PROTOCOL: String(incoming.headers['git-protocol'] ?? ''),
        },
        ...(incoming.headers['content-encoding'] && {
          HTTP_CONTENT_ENCODING: String(incoming.headers['content-encoding']),
        }),
        ...(incoming.headers['content-length'] && { CONTENT_LENGTH: incoming.headers['content-length'] }),
      },
    })
    incoming.pipe(child.stdin)
    const chunks: Buffer[] = []
    child.stdout.on('data', chunk => chunks.push(chunk))
    child.on('close', () => {
      const all = Buffer.concat(chunks)
      const end = all.indexOf('\r\n\r\n')
      const headers = all
        .subarray(0, end)
        .toString('latin1')
        .split('\r\n')
        .map(line => line.split(': ') as [string, string])
      const status = Number(headers.find(([name]) => name === 'Status')?.[1]?.split(' ')[0] ?? 200)
      outgoing.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')))
      outgoing.end(all.subarray(end + 4))
    })
    return true
  }
}
