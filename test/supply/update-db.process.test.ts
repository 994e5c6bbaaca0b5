import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it, onTestFinished } from 'vitest'
import vulns from '../../engine/ops/supply/vulns.ts'
import { context } from '../made/call.ts'
import { folder } from '../made/folder.ts'
import { project } from '../made/project.ts'
import { osvRecord } from './osv-server.ts'

/** A server with an export of npm; that of PyPI is cut off where it is told so. */
async function startExports(broken: { pypi: boolean }): Promise<{ url: string; requests: string[] }> {
  const zip = (ecosystem: string, name: string) =>
    Buffer.from(
      zipSync({ 'GHSA-x.json': strToU8(JSON.stringify(osvRecord(`GHSA-${name}`, ecosystem, name, '1.2.0'))) }),
    )
  const exports: Record<string, Buffer> = { '/npm/all.zip': zip('npm', 'a'), '/PyPI/all.zip': zip('PyPI', 'b') }
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url!)
    const body = exports[request.url!]
    if (!body) response.writeHead(404).end()
    else if (broken.pypi && request.url!.startsWith('/PyPI')) response.end(body.subarray(0, body.length - 30))
    else response.end(body)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const LOCK = JSON.stringify({
  ...{ name: 'app', version: '1.0.0', lockfileVersion: 3 },
  packages: { '': { name: 'app', dependencies: { a: '1' } }, 'node_modules/a': { version: '1.0.0' } },
})

describe('svc vulns --update-db', () => {
  it('downloads the zip exports of the ecosystems in use from a server, indexes them, and answers offline from them', async () => {
    const broken = { pypi: false }
    const { url, requests } = await startExports(broken)
    const root = project({
      'package.json': '{"name":"app","dependencies":{"a":"1"}}',
      'package-lock.json': LOCK,
      'requirements.txt': 'b==1.0\n',
      '.svc/config.yaml': `vulns:\n  export_url: ${url}\n`,
    })
    const where = context(root, { env: { XDG_CACHE_HOME: folder({}), HOME: folder({}) } })
    const run = async (more: object) => {
      const defaults = { repo_path: '.', fix: false, fix_preview: false, create_pr: false, refresh: false }
      return await vulns.run({ ...defaults, update_db: false, ...more } as never, where as never)
    }
    const first = await run({ update_db: true })
    expect(requests.sort()).toEqual(['/PyPI/all.zip', '/npm/all.zip'])
    expect(first.updated).toMatchObject({ advisories: 2, ecosystems: ['PyPI', 'npm'], failed: [], faults: [] })
    expect(first.vulnerabilities.map(({ id }) => id).sort()).toEqual(['GHSA-a', 'GHSA-b'])
    const offline = await run({ offline: true })
    expect(offline).toMatchObject({ vulnerable_count: 2, source: { kind: 'database' } })
    expect(requests).toHaveLength(2)
    // An export that is cut off replaces nothing, and is said.
    broken.pypi = true
    const second = await run({ update_db: true })
    expect(second.updated!.failed).toEqual([expect.stringMatching(/^PyPI: /)])
    expect(second.vulnerabilities.map(({ id }) => id).sort()).toEqual(['GHSA-a', 'GHSA-b'])
  })
})
