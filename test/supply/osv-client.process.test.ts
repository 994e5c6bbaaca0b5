import { mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type Gathered, gatherFromApi } from '../../engine/supply/advisories/gather.ts'
import { openOsvCache } from '../../engine/supply/advisories/osv-cache.ts'
import { type OsvServer, osvRecord, startOsv } from './osv-server.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const npm = (name: string, version = '1.0.0') => ({ ecosystem: 'npm', name, version })
const record = (id: string, name = 'a') => osvRecord(id, 'npm', name, '2.0.0')
const cacheFile = () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-osv-'))
  folders.push(folder)
  return join(folder, 'cache.db')
}
const ask = (
  server: Pick<OsvServer, 'url'>,
  packages = [npm('a'), npm('b')],
  more: Partial<Parameters<typeof gatherFromApi>[2]> = {},
) =>
  gatherFromApi(server.url, packages, {
    env: {},
    signal: new AbortController().signal,
    attempts: 3,
    pauseMs: 1,
    timeoutMs: 300,
    cache: undefined,
    mostAgeMs: 1000,
    ...more,
  })
/** Ids of each package, or why there are none. */
const told = ({ lookups }: Gathered) =>
  lookups.map(one => ('failure' in one ? `failed: ${one.failure}` : one.advisories.map(({ id }) => id).join(' ')))
const two = () =>
  startOsv({ 'X-1': record('X-1'), 'X-2': record('X-2'), 'X-3': record('X-3') }, { 'npm/a': ['X-1', 'X-2', 'X-3'] })

describe('the OSV API', () => {
  it('is asked in batches, and every page of an answer is read', async () => {
    const server = await two()
    const many = [npm('a'), ...Array.from({ length: 2100 }, (_, i) => npm(`p${i}`))]
    const answers = told(await ask(server, many))
    expect(answers[0]).toBe('X-1 X-2 X-3')
    expect(new Set(answers.slice(1))).toEqual(new Set(['']))
    // Three batches and the second page of the first one; each advisory once.
    expect(server.requests.filter(one => one.includes('querybatch'))).toHaveLength(4)
    expect(server.requests.filter(one => one.includes('/v1/vulns/'))).toHaveLength(3)
  })

  const busy =
    (status: number, headers = {}) =>
    (_: unknown, response: ServerResponse) => {
      response.writeHead(status, headers).end('busy')
      return true
    }
  const send = (text: string) => (_: unknown, response: ServerResponse) => {
    response.writeHead(200).end(text)
    return true
  }
  it.each<[string, OsvServer['trouble'][0]]>([
    ['is busy (429)', busy(429, { 'retry-after': '0' })],
    ['fails (503)', busy(503)],
    ['closes the connection', request => Boolean(request.socket.destroy())],
    ['does not answer in time', () => true],
    [
      'cuts the answer off',
      (_, response) => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write('{"results": [{}')
        setTimeout(() => response.destroy(), 5)
        return true
      },
    ],
    [
      'stops in the middle of the answer',
      (_, response) => {
        response.writeHead(200)
        return response.write('{"results": ') || true
      },
    ],
    ['answers no JSON', send('<html>hello</html>')],
    ['answers for fewer packages', send('{"results": [{}]}')],
    ['answers without results', send('{}')],
    ['answers with a result that is none', send('{"results": [{"vulns": "none"}, null]}')],
  ])('is asked again where the server %s', async (_, trouble) => {
    const server = await two()
    server.trouble.push(trouble)
    expect(told(await ask(server))).toEqual(['X-1 X-2 X-3', ''])
  })

  it('that goes on failing leaves every package not evaluated, and is left alone', async () => {
    const server = await two()
    server.trouble.push(...Array.from({ length: 100 }, () => busy(500)))
    const answers = told(
      await ask(
        server,
        Array.from({ length: 2500 }, (_, i) => npm(`p${i}`)),
      ),
    )
    expect(new Set(answers)).toEqual(new Set(['failed: the server answered 500']))
    expect(server.requests).toHaveLength(3)
  })

  it('that refuses a batch for one package answers for the others', async () => {
    const server = await two()
    server.refused.add('bad')
    expect(told(await ask(server, [npm('b'), npm('bad'), npm('a'), npm('c')]))).toEqual([
      '',
      'failed: refused: the server answered 400',
      'X-1 X-2 X-3',
      '',
    ])
  })

  it('that names an advisory it does not have leaves the package not evaluated', async () => {
    const server = await startOsv({}, { 'npm/a': ['X-1'] })
    expect(told(await ask(server))).toEqual(['failed: the server answered 404', ''])
  })

  it('is nowhere: nothing is reported as free of vulnerabilities', async () => {
    const answers = told(await ask({ url: 'http://127.0.0.1:1' }))
    expect(answers.every(one => one.startsWith('failed: '))).toBe(true)
  })

  it('ends at once where the user interrupts', async () => {
    const server = await two()
    server.trouble.push(() => true)
    const control = new AbortController()
    const asked = ask(server, undefined, { signal: control.signal, timeoutMs: 60_000 })
    setTimeout(() => control.abort(), 20)
    await expect(asked).rejects.toMatchObject({ code: 'INTERRUPTED' })
  })
})

describe('the cache of answers', () => {
  it('is used while it is young, and the API is asked once it is not', async () => {
    const server = await two()
    const cache = await openOsvCache(cacheFile(), server.url)
    await ask(server, undefined, { cache, now: 0 })
    const asked = server.requests.length
    const young = await ask(server, undefined, { cache, now: 900 })
    expect([told(young), young.source.kind, server.requests.length]).toEqual([['X-1 X-2 X-3', ''], 'cache', asked])
    // Advisories that have not changed are not fetched again: two pages of the query are all.
    expect((await ask(server, undefined, { cache, now: 2000 })).source.kind).toBe('api')
    expect(server.requests.length).toBe(asked + 2)
    cache.close()
  })

  it('is used when it is old and the API fails, and the age is told', async () => {
    const server = await two()
    const cache = await openOsvCache(cacheFile(), server.url)
    await ask(server, undefined, { cache, now: 0 })
    server.trouble.push(...Array.from({ length: 100 }, () => busy500))
    const { source, ...rest } = await ask(server, [npm('a'), npm('new')], { cache, now: 9_000 })
    expect(told({ source, ...rest })).toEqual(['X-1 X-2 X-3', 'failed: the server answered 500'])
    expect(source).toMatchObject({ stale: 1, as_of: '1970-01-01T00:00:00.000Z' })
    cache.close()
  })
})

function busy500(_: unknown, response: ServerResponse) {
  response.writeHead(500).end()
  return true
}
