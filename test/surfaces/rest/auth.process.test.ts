import { request } from 'node:http'
import { expect, it } from 'vitest'
import { generateKey } from '../../../api/auth.ts'
import { isLoopback } from '../../../api/origin.ts'
import { chooseKey } from '../../../api/start.ts'
import { post, problem, startServer } from './server-under-test.ts'

/** What the server takes for its key. */
const KEY = 's3cret'

/** fetch does not let a caller choose Host, Origin or Sec-Fetch-*. */
function get(url: string, headers: Record<string, string>, method = 'GET'): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, response => {
      let body = ''
      response.on('data', chunk => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode!, body }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

it('with a key, every route but /health and the pages asks for it', async () => {
  const { base } = await startServer({ key: KEY })
  for (const path of ['/api/things/a', '/api', '/openapi.json', '/api/nothing', '/nothing']) {
    const response = await fetch(base + path)
    expect(response.headers.get('www-authenticate'), path).toBe('Bearer')
    expect(await problem(response), path).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
  }
  for (const path of ['/health', '/', '/dashboard']) expect((await fetch(base + path)).status, path).toBe(200)
  expect((await fetch(`${base}/api/things/a`, { method: 'DELETE' })).status).toBe(401)
})

it('the key is taken from X-API-Key or as a bearer token, and only the right one', async () => {
  const { base } = await startServer({ key: KEY })
  const status = async (headers: Record<string, string>) => (await fetch(`${base}/api/things/a`, { headers })).status
  expect(await status({ 'x-api-key': KEY })).toBe(200)
  expect(await status({ authorization: `Bearer ${KEY}` })).toBe(200)
  expect(await status({ authorization: `bearer ${KEY}` })).toBe(200)
  for (const wrong of ['', 's3cre', 's3cret2', 'S3CRET']) expect(await status({ 'x-api-key': wrong }), wrong).toBe(401)
  expect(await status({ authorization: `Basic ${KEY}` })).toBe(401)
  expect(await status({ authorization: 'Bearer wrong' })).toBe(401)
})

it('with a key, the request may come under any name', async () => {
  const { base } = await startServer({ key: KEY })
  const answer = await get(`${base}/api/things/a`, { host: 'svc.example', 'x-api-key': KEY })
  expect(answer.status).toBe(200)
})

it('a wrong key is refused before the body is looked at', async () => {
  const { base } = await startServer({ key: KEY })
  const response = await fetch(`${base}/api/fail`, {
    method: 'POST',
    body: '{',
    headers: { 'content-type': 'application/json' },
  })
  expect(response.status).toBe(401)
})

it('on loopback without a key, the server answers under its own names only', async () => {
  const { base } = await startServer()
  const port = new URL(base).port
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`]) {
    expect((await get(`${base}/api/things/a`, { host })).status, host).toBe(200)
  }
  for (const host of [
    'attacker.example',
    `attacker.example:${port}`,
    'localhost',
    `localhost.attacker.example:${port}`,
    `127.0.0.1:${Number(port) + 1}`,
  ]) {
    const { status, body } = await get(`${base}/api/things/a`, { host })
    expect([status, JSON.parse(body).code], host).toEqual([403, 'HOST_REFUSED'])
  }
})

it('on loopback without a key, pages of other origins are refused, whatever the method', async () => {
  const { base } = await startServer()
  const own = new URL(base).host
  for (const origin of [
    'https://attacker.example',
    'null',
    `https://${own}`,
    `http://localhost:${Number(new URL(base).port) + 1}`,
  ]) {
    for (const method of ['GET', 'POST']) {
      expect((await get(`${base}/api/things/a`, { origin }, method)).status, `${method} ${origin}`).toBe(403)
    }
  }
  expect((await get(`${base}/api/things/a`, { origin: base })).status).toBe(200)
})

it('a browser that names another site as the sender is refused, but a link may be followed to a page', async () => {
  const { base } = await startServer()
  const from = (site: string, mode: string, dest: string, path: string) =>
    get(base + path, { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest })
  expect((await from('cross-site', 'no-cors', 'image', '/api/things/a')).status).toBe(403)
  expect((await from('same-site', 'cors', 'empty', '/api/things/a')).status).toBe(403)
  expect((await from('cross-site', 'navigate', 'iframe', '/dashboard')).status).toBe(403)
  expect((await from('cross-site', 'navigate', 'document', '/dashboard')).status).toBe(200)
  expect((await from('same-origin', 'cors', 'empty', '/api/things/a')).status).toBe(200)
  expect((await from('none', 'navigate', 'document', '/dashboard')).status).toBe(200)
})

it('a cross-site form cannot post, since only JSON is read', async () => {
  const { base } = await startServer()
  expect(
    (await post(`${base}/api/fail`, { how: 'engine' }, { headers: { 'content-type': 'text/plain' } })).status,
  ).toBe(415)
})

it('loopback needs no key, a wider address gets GUARD_API_KEY or a new one', () => {
  expect(chooseKey('127.0.0.1', {})).toEqual({ generated: false })
  expect(chooseKey('127.0.0.1', { GUARD_API_KEY: 'k' })).toEqual({ key: 'k', generated: false })
  expect(chooseKey('0.0.0.0', { GUARD_API_KEY: 'k' })).toEqual({ key: 'k', generated: false })
  const { key, generated } = chooseKey('0.0.0.0', { GUARD_API_KEY: '' })
  expect(generated).toBe(true)
  expect(key).toMatch(/^[\w-]{43}$/)
  expect(generateKey()).not.toBe(key)
})

it('only addresses that no other machine can reach count as loopback', () => {
  expect(['127.0.0.1', '127.8.9.1', 'localhost', '::1'].map(isLoopback)).toEqual([true, true, true, true])
  expect(['0.0.0.0', '::', '192.168.1.4', '127.0.0.1.example', 'example'].map(isLoopback)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
})
