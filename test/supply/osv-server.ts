import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'

interface Query {
  package: { ecosystem: string; name: string }
  version: string
  page_token?: string
}

export interface OsvServer {
  url: string
  /** Method and path of each request. */
  requests: string[]
  /** Misbehaves once for each entry, before it answers again: returns true where it has dealt with the request. */
  trouble: ((request: IncomingMessage, response: ServerResponse) => boolean)[]
  /** Packages that a batch is refused for. */
  refused: Set<string>
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A server that speaks the OSV protocol about these advisories, two of them a page; ids by `<ecosystem>/<name>`. */
export async function startOsv(
  advisories: Record<string, unknown>,
  affected: Record<string, string[]>,
  pageSize = 2,
): Promise<OsvServer> {
  const state: OsvServer = { url: '', requests: [], trouble: [], refused: new Set() }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    state.requests.push(`${request.method} ${request.url}`)
    if (state.trouble.shift()?.(request, response)) return
    const send = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    if (request.url === '/v1/querybatch') {
      const { queries } = JSON.parse(Buffer.concat(chunks).toString()) as { queries: Query[] }
      if (queries.length > 1000 || queries.some(query => state.refused.has(query.package.name)))
        return send(400, { code: 3, message: 'Invalid query.' })
      return send(200, {
        results: queries.map(query => {
          const ids = affected[`${query.package.ecosystem}/${query.package.name}`] ?? []
          const from = Number(query.page_token ?? 0)
          const more = from + pageSize < ids.length
          if (ids.length === 0) return {}
          return {
            vulns: ids.slice(from, from + pageSize).map(id => ({ id, modified: '2026-01-01T00:00:00Z' })),
            ...(more && { next_page_token: String(from + pageSize) }),
          }
        }),
      })
    }
    const id = decodeURIComponent(request.url!.replace('/v1/vulns/', ''))
    return advisories[id] ? send(200, advisories[id]) : send(404, { code: 5, message: 'Bug not found.' })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(
    () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return state
}

/** An OSV record about a package, fixed in a version. */
export function osvRecord(
  id: string,
  ecosystem: string,
  name: string,
  fixed: string,
  more: Record<string, unknown> = {},
) {
  return {
    schema_version: '1.6.0',
    id,
    modified: '2026-01-01T00:00:00Z',
    summary: `${name} before ${fixed}`,
    affected: [
      {
        package: { ecosystem, name },
        ranges: [{ type: ecosystem === 'PyPI' ? 'ECOSYSTEM' : 'SEMVER', events: [{ introduced: '0' }, { fixed }] }],
      },
    ],
    ...more,
  }
}
