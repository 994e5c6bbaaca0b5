import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createSessions } from '../../../api/sessions.ts'
import { post, problem, startServer } from './server-under-test.ts'

const key = 'k'.repeat(40)

/** Signs in as a page of the server does; the cookie as the browser sends it back. */
async function signIn(base: string): Promise<{ cookie: string; token: string; set: string }> {
  const response = await post(`${base}/api/session`, { key })
  expect(response.status).toBe(200)
  const set = response.headers.get('set-cookie')!
  const { csrf_token } = (await response.json()) as { csrf_token: string }
  return { cookie: set.split(';')[0]!, token: csrf_token, set }
}

const echo = (base: string, headers: Record<string, string>) => post(`${base}/api/things/t1`, {}, { headers })

describe('a person who signs in', () => {
  it('gets a cookie that scripts cannot read, and reads with it alone', async () => {
    const { base } = await startServer({ key })
    const { cookie, set } = await signIn(base)
    expect(set).toMatch(/^svc_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/)
    expect((await fetch(`${base}/openapi.json`, { headers: { cookie } })).status).toBe(200)
    expect((await fetch(`${base}/openapi.json`)).status).toBe(401)
  })

  it('with the wrong key gets no cookie, and ten tries a minute', async () => {
    const { base } = await startServer({ key, now: () => 0 })
    for (let n = 0; n < 10; n++) {
      const response = await post(`${base}/api/session`, { key: `${key}x` })
      expect(response.headers.get('set-cookie')).toBeNull()
      expect((await problem(response)).code).toBe('UNAUTHENTICATED')
    }
    const response = await post(`${base}/api/session`, { key })
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await problem(response)).code).toBe('RATE_LIMITED')
  })

  it('is out after signing out, wherever the cookie is kept', async () => {
    const { base } = await startServer({ key })
    const { cookie, token } = await signIn(base)
    const refused = await fetch(`${base}/api/session`, { method: 'DELETE', headers: { cookie } })
    expect((await problem(refused)).code).toBe('FORBIDDEN')
    const out = await fetch(`${base}/api/session`, { method: 'DELETE', headers: { cookie, 'x-csrf-token': token } })
    expect(out.headers.get('set-cookie')).toMatch(/^svc_session=; .*Max-Age=0/)
    expect((await fetch(`${base}/openapi.json`, { headers: { cookie } })).status).toBe(401)
  })
})

describe('an attacker', () => {
  it('cannot write with the cookie alone, or with the token of another session', async () => {
    const { base } = await startServer({ key })
    const [own, other] = [await signIn(base), await signIn(base)]
    for (const token of [undefined, '', other.token, `${own.token}x`]) {
      const headers: Record<string, string> = {
        cookie: own.cookie,
        ...(token !== undefined && { 'x-csrf-token': token }),
      }
      expect((await problem(await echo(base, headers))).code, String(token)).toBe('FORBIDDEN')
    }
    expect((await echo(base, { cookie: own.cookie, 'x-csrf-token': own.token })).status).toBe(200)
  })

  it('cannot use the cookie from a page of another site, whatever its name', async () => {
    const { base } = await startServer({ key })
    const { cookie, token } = await signIn(base)
    const pages: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const forged of pages) {
      const status = await rawStatus(`${base}/api/things/t1`, { ...forged, cookie, 'x-csrf-token': token })
      expect(status, JSON.stringify(forged)).toBe(403)
      expect(await rawStatus(`${base}/api/session`, { ...forged, cookie }, { key }), 'signing in').toBe(403)
    }
  })

  it('cannot plant a session: an id that the browser brings is never taken over, and two are none', async () => {
    const { base } = await startServer({ key })
    const planted = `svc_session=${'A'.repeat(43)}`
    const response = await post(`${base}/api/session`, { key }, { headers: { cookie: planted } })
    const fresh = response.headers.get('set-cookie')!.split(';')[0]!
    expect(fresh).not.toBe(planted)
    expect((await fetch(`${base}/openapi.json`, { headers: { cookie: planted } })).status).toBe(401)
    expect((await fetch(`${base}/openapi.json`, { headers: { cookie: `${planted}; ${fresh}` } })).status).toBe(401)
    const again = await post(`${base}/api/session`, { key }, { headers: { cookie: fresh } })
    expect(again.headers.get('set-cookie')!.split(';')[0]).not.toBe(fresh)
    expect((await fetch(`${base}/openapi.json`, { headers: { cookie: fresh } })).status, 'the session before').toBe(401)
  })

  it('cannot read the token from a page of another site', async () => {
    const { base } = await startServer({ key })
    const { cookie } = await signIn(base)
    const response = await fetch(`${base}/api/session`, { headers: { cookie, origin: 'https://evil.example' } })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(await response.json()).not.toHaveProperty('csrf_token')
  })
})

describe('sessions', () => {
  it('end after twelve hours, and the oldest ends where there are too many', () => {
    let at = 0
    const sessions = createSessions({ now: () => at, most: 2 })
    const [first, second] = [sessions.open(), sessions.open()].map(({ secret }) => `svc_session=${secret}`)
    at = 12 * 3_600_000 - 1
    expect(sessions.find(first)).toBeDefined()
    const third = `svc_session=${sessions.open().secret}`
    expect([first, second, third].map(cookie => sessions.find(cookie) !== undefined)).toEqual([false, true, true])
    at++
    expect([second, third].map(cookie => sessions.find(cookie) !== undefined)).toEqual([false, true])
  })
})

describe('a server that is read-only', () => {
  it('refuses what writes, with the reason, and says so to the page', async () => {
    const { base } = await startServer({ readOnly: true })
    const refused = await problem(await echo(base, {}))
    expect(refused.code).toBe('READ_ONLY')
    expect(refused.detail).toContain('--read-only')
    expect(await (await fetch(`${base}/api/session`)).json()).toMatchObject({
      read_only: true,
      signed_in: true,
      required: false,
    })
  })
})

describe('the rate limit', () => {
  it('of programs is never felt by a person who clicks quickly', async () => {
    const env = { GUARD_RATE_LIMIT_RPM: '5' }
    const { base } = await startServer({ key, env, now: () => 0 })
    const { cookie } = await signIn(base)
    for (let n = 0; n < 40; n++) expect((await fetch(`${base}/api/session`, { headers: { cookie } })).status).toBe(200)
    for (let n = 0; n < 4; n++)
      expect((await fetch(`${base}/api/session`, { headers: { 'x-api-key': key } })).status).toBe(200)
    expect((await fetch(`${base}/api/session`, { headers: { 'x-api-key': key } })).status).toBe(429)
  })
})

/** Fetch does not let a program say where it comes from. */
function rawStatus(url: string, headers: Record<string, string>, body: unknown = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      response => {
        response.resume()
        resolve(response.statusCode!)
      },
    )
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}
