import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { writeRun } from '../../engine/sources/store/write.ts'
import { HOSTILE, hostileModel } from '../assure/fixture.ts'
import { writeBeside } from './dashboard-beside.ts'
import { open, shareDashboard, soon } from './dashboard-page.ts'

const KEY = ['key', 'of', 'the', 'test'].join('-')

test('a server with a key asks for it once, again where it is wrong, and no script can read what stays', async () => {
  const { page, foreign } = await open('/dashboard', { key: KEY })
  const dialog = page.getByRole('dialog', { name: 'API key' })
  await dialog.waitFor()
  await page.locator('#key-input').fill('wrong')
  await page.keyboard.press('Enter')
  await soon(() => dialog.textContent()).toContain('did not accept')
  await dialog.waitFor()
  await page.locator('#key-input').fill(KEY)
  await page.keyboard.press('Enter')
  await soon(() => page.locator('.rating .value').textContent()).toBe('E')
  expect(
    await page.evaluate('[document.cookie, ...Object.values(localStorage), ...Object.values(sessionStorage)].join()'),
  ).not.toMatch(new RegExp(`${KEY}|svc_session`))
  await page.getByRole('button', { name: 'Scan now' }).click()
  await soon(() => page.locator('.trend .column').count()).toBe(7)
  expect(foreign).toEqual([])
  await page.reload()
  await soon(() => page.locator('.rating .value').textContent()).toBe('E')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await dialog.waitFor()
})

test('a page of another site cannot make the browser of somebody who is signed in read or write', async () => {
  const { page, server } = await open('/dashboard', { key: KEY })
  await page.locator('#key-input').fill(KEY)
  await page.keyboard.press('Enter')
  await soon(() => page.locator('.rating .value').textContent()).toBe('E')
  // Another name of this machine is another site to the browser, which sends the request all the same.
  await page.route('http://evil.localhost/**', route =>
    route.fulfill({ contentType: 'text/html', body: '<p>evil</p>' }),
  )
  await page.goto('http://evil.localhost/')
  const tries = (await page.evaluate(`Promise.all([
    ['/api/session', {}], ['/api/findings', {}], ['/api/run-scan-stream', { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } }],
  ].map(([path, init]) => fetch('${server.base}' + path, { ...init, credentials: 'include' }).then(r => r.status, () => 'refused')))`)) as unknown[]
  expect(tries).toEqual(['refused', 'refused', 'refused'])
  const blind = (await page.evaluate(
    `fetch('${server.base}/api/run-scan-stream', { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' }).then(r => r.type, () => 'refused')`,
  )) as string
  expect(['opaque', 'refused']).toContain(blind)
  const runs = await fetch(`${server.base}/api/audit/runs`, { headers: { 'x-api-key': KEY } })
  expect(((await runs.json()) as { total: number }).total).toBe(6)
})

test('when the server is gone, the page says so', async () => {
  const { page, server } = await open('/dashboard')
  await page.locator('.trend .column').first().waitFor()
  await server.close()
  await page.getByRole('link', { name: 'Findings' }).click()
  await soon(() => page.locator('#banner').textContent()).toContain('does not answer')
})

test('what a hostile repository has in names, code and remedies is shown as text', async () => {
  const { page, complaints } = await open('/dashboard#findings', {
    runs: 0,
    async prepare({ cwd }) {
      const { run, findings } = hostileModel()
      await writeRun(join(cwd, 'out'), { ...run, id: '20260101-000000-aaaaaa' }, findings as never, [])
    },
  })
  await page.locator('.row-line').first().waitFor()
  const rows = await page.locator('.row-line').count()
  let seen = ''
  for (let at = 0; at < rows; at++) {
    await page.keyboard.press('j')
    await soon(() => page.locator('.virtual li:has(.current)').getAttribute('aria-posinset')).toBe(String(at + 1))
    await page.locator('.detail .meta').waitFor()
    seen += await page.locator('#main').textContent()
  }
  const shown = HOSTILE.filter(hostile => !/[\u0000\r\uD800]/.test(hostile))
  for (const hostile of shown) expect(seen).toContain(hostile)
  expect(await page.locator('#main').locator('script, img, iframe, object').count()).toBe(0)
  await page.goto(`${page.url().split('#')[0]}#overview`)
  await page.locator('.posture').waitFor()
  expect(complaints).toEqual([])
})

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const openShared = shareDashboard({ prepare: writeBeside })

/** Every view, with what stands there once it is drawn. */
const VIEWS = {
  overview: '.posture',
  findings: '.row-line',
  rules: 'tbody tr',
  runs: 'tbody tr',
  gaps: '.reason',
  compare: '.stacked',
  configuration: '.settings',
  providers: '.stacked',
  organization: 'tbody tr',
  agents: '.lacking',
  approvals: '.total',
  audit: '.lacking',
  dependencies: '.parts',
  secrets: '.head',
  compliance: '.head',
  files: '.tile',
  quality: '.dimensions',
  'posture?days=3650': '.chart',
  requirements: 'tbody tr',
  threats: '.lacking',
  decisions: '.lacking',
  evidence: 'tbody tr',
  architecture: '.node',
  design: '.swatches',
}

/** Goes to a view and waits until it is drawn; what the view before had is gone by then. */
async function show(page: Page, view: string, ready: string): Promise<void> {
  await page.evaluate(`new Promise(drawn => {
    addEventListener('hashchange', () => requestAnimationFrame(() => requestAnimationFrame(drawn)), { once: true })
    location.hash = '#/${view}'
  })`)
  await page.locator(`#main ${ready}`).first().waitFor()
}

/** What axe is asked for: all of it in one theme, and in the other what depends on the theme. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']

test.each([
  ['light', TAGS],
  ['dark', ['color-contrast', 'link-in-text-block']],
] as const)('in %s, every view passes the checks of axe (WCAG 2.2 AA)', async (colorScheme, checks) => {
  const { page } = await openShared('/dashboard', { colorScheme, bypassCSP: true })
  await page.addScriptTag({ content: axe })
  const faults: string[] = []
  for (const [view, ready] of Object.entries(VIEWS)) {
    await show(page, view, ready)
    if (view === 'findings') {
      await page.locator('.finding-line').first().click()
      await page.locator('.detail .meta').waitFor()
    }
    const violations = await page.evaluate(
      async runOnly => {
        const found = await (
          globalThis as unknown as {
            axe: {
              run(
                options: object,
              ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>
            }
          }
        ).axe.run({ runOnly, resultTypes: ['violations'] })
        return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html} ${nodes[0]!.failureSummary}`)
      },
      checks as unknown as string[],
    )
    faults.push(...violations.map(violation => `${view} ${violation}`))
  }
  expect(faults).toEqual([])
})

test.each([
  ['/docs', '.opblock'],
  ['/redoc', '[data-section-id]'],
] as const)('the reference at %s is drawn without the network', async (path, ready) => {
  const { page, complaints, foreign } = await open(path)
  await page.locator(ready).first().waitFor()
  expect(await page.locator('#reference').textContent()).toContain('/api/findings')
  expect(complaints).toEqual([])
  expect(foreign).toEqual([])
})

test('the reference of a server with a key signs in as the dashboard does, and what is tried reads and writes', async () => {
  const { page, server } = await open('/docs', { key: KEY, runs: 1, files: { 'a.js': 'let a\n' } })
  await page.getByLabel('API key').fill('wrong')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByText('not accepted').waitFor()
  await page.getByLabel('API key').fill(KEY)
  await page.getByRole('button', { name: 'Open' }).click()
  const tryOut = async (method: string, path: string) => {
    const block = page.locator(`.opblock-${method}`, { has: page.locator(`[data-path="${path}"]`) })
    await block.locator('.opblock-summary-control').click()
    await block.getByRole('button', { name: 'Try it out' }).click()
    await block.getByRole('button', { name: 'Execute' }).click()
    return () => block.locator('.live-responses-table tbody .response-col_status').first().textContent()
  }
  await expect.poll(await tryOut('get', '/api/audit/runs')).toContain('200')
  await expect.poll(await tryOut('post', '/api/agents/freeze')).toMatch(/^(200|422)/)
  expect(
    await page.evaluate('[document.cookie, ...Object.values(localStorage), ...Object.values(sessionStorage)].join()'),
  ).not.toContain(KEY)
  await page.goto(`${server.base}/dashboard`)
  await page.locator('#sign-out').waitFor()
})

test('on a narrow screen nothing is wider than the screen', async () => {
  const { page } = await openShared('/dashboard', { viewport: { width: 360, height: 800 } })
  for (const [view, ready] of Object.entries(VIEWS)) {
    await show(page, view, ready)
    expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBeLessThanOrEqual(360)
  }
})
