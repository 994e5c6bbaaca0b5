import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startPortal } from '../assure/auditors/made.ts'
import { launch } from './launch.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launch()
})

afterAll(() => browser?.close())

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function open(width = 1280, colorScheme: 'light' | 'dark' = 'light') {
  const portal = await startPortal()
  const token = await portal.token()
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const [complaints, foreign]: [string[], string[]] = [[], []]
  page.on('console', message => complaints.push(message.text()))
  page.on('pageerror', error => complaints.push(error.message))
  page.on('request', request => !request.url().startsWith(portal.base) && foreign.push(request.url()))
  await page.goto(`${portal.base}/auditor?token=${token}`)
  await page.locator('#controls tbody tr').first().waitFor()
  return { page, portal, token, complaints, foreign }
}

test('an auditor sees controls, evidence, findings, log and trends, and filters them by keyboard', async () => {
  const { page, token, complaints, foreign } = await open()
  expect(await page.locator('nav a').allTextContents()).toEqual([
    'Summary',
    'Controls',
    'Evidence',
    'Findings by rule',
    'Audit log',
    'Trends',
  ])
  expect(page.url()).not.toContain(token)
  expect(await page.locator('#evidence').textContent()).toContain('Access policy')
  const rows = () => page.locator('#findings tbody tr').count()
  const all = await rows()
  await page.getByLabel('Filter: Findings by rule').focus()
  await page.keyboard.type('yaml')
  await expect.poll(rows).toBe(1)
  expect(all).toBeGreaterThan(1)
  expect(await page.locator('#said').textContent()).toBe(`Findings by rule: 1 of ${all}`)
  expect(complaints).toEqual([])
  expect(foreign).toEqual([])
})

test('a token that opens nothing gets a sentence and no data', async () => {
  const { page, portal } = await open()
  await page.goto(`${portal.base}/auditor?token=svc_auditor_${'A'.repeat(43)}`)
  await expect.poll(() => page.locator('#main').textContent()).toContain('The token is not known')
  expect(await page.locator('#title').textContent()).toBe('No access')
})

test.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'in %s at %i pixels the page passes the checks of axe, does not scroll sideways, and prints',
  async (scheme, width) => {
    const { page } = await open(width, scheme)
    await page.addScriptTag({ content: axe })
    const violations = await page.evaluate(async () => {
      type Found = { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }
      const tags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']
      const found = await (globalThis as unknown as { axe: { run(options: object): Promise<Found> } }).axe.run({
        runOnly: tags,
      })
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html} ${nodes[0]!.failureSummary}`)
    })
    expect(violations).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('nav').isVisible()).toBe(false)
    expect((await page.pdf()).length).toBeGreaterThan(10_000)
  },
)
