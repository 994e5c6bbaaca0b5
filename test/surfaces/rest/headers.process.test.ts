import { expect, it } from 'vitest'
import { startServer } from './server-under-test.ts'

/** On every answer: no guessing of types, no framing, no address given away, nothing kept by others. */
const SAFE = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

it.each([
  ['an answer', '/health', 200],
  ['a page', '/dashboard', 200],
  ['a file of a page', '/dashboard/app.js', 200],
  ['an address that is none', '/nothing', 404],
  ['an address that cannot be read', '/%zz', 400],
])('%s has the headers that keep a browser safe', async (_, path, status) => {
  const { base } = await startServer()
  const response = await fetch(`${base}${path}`)
  expect(response.status).toBe(status)
  expect(Object.fromEntries(response.headers)).toMatchObject(SAFE)
  expect(response.headers.get('strict-transport-security')).toBeNull()
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';/)
})

it('a page is served with its policy, and not again while it is the same', async () => {
  const { base } = await startServer()
  const page = await fetch(`${base}/dashboard`)
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/)
  const etag = page.headers.get('etag')!
  const init = { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } }
  const again = await fetch(`${base}/dashboard`, init)
  expect([again.status, await again.text()]).toEqual([304, ''])
  expect(again.headers.get('content-security-policy')).toBe(page.headers.get('content-security-policy'))
})

it.each(['/dashboard', '/auditor', '/docs', '/redoc'])('%s with a slash behind it is the same page', async path => {
  const { base } = await startServer()
  const [page, same] = await Promise.all([fetch(base + path), fetch(`${base}${path}/`)])
  expect(same.status).toBe(200)
  expect(await same.text()).toBe(await page.text())
})

it.each(['/dashboard/..%2fserver.js', '/dashboard/%2e%2e/svc.js', '/docs/..%5c..%5cpackage.json', '/dashboard/.env'])(
  'no address reaches a file beside the pages: %s',
  async path => {
    const { base } = await startServer()
    expect((await fetch(`${base}${path}`)).status).toBe(404)
  },
)

it.each(['gzip, br', 'identity'])(
  'a script that is kept packed is the same for a client that accepts %s',
  async accepted => {
    const { base } = await startServer()
    const headers = { 'accept-encoding': accepted }
    const response = await fetch(`${base}/docs/redoc.standalone.js`, { headers })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(response.headers.get('content-encoding')).toBe(accepted === 'identity' ? null : 'gzip')
    // What is sent packed is unpacked by who asked.
    expect(await response.text()).toContain('Redoc')
    expect((await fetch(`${base}/docs/redoc.standalone.js.gz`)).status).toBe(404)
  },
)
