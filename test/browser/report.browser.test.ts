import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type ReportModel, writeReports } from '../../engine/assure/report.ts'
import { finding, hostileModel, model, rule } from '../assure/fixture.ts'
import { launch } from './launch.ts'
import { productModel } from './product.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launch()
})

afterAll(() => browser?.close())

/** The report's page, with all that it complained of and asked the network for. */
async function open(subject: ReportModel, more: { colorScheme?: 'light' | 'dark'; javaScriptEnabled?: boolean } = {}) {
  const out = mkdtempSync(join(tmpdir(), 'svc-page-'))
  writeReports(out, subject, ['html'])
  const address = pathToFileURL(join(out, 'report.html')).href
  const context = await browser.newContext({ colorScheme: 'light', viewport: { width: 1280, height: 1000 }, ...more })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  const requests: string[] = []
  page.on('console', message => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', error => complaints.push(error.message))
  page.on('dialog', dialog => complaints.push(`dialog ${dialog.message()}`))
  page.on(
    'request',
    request => request.url() !== address && !request.url().startsWith('data:') && requests.push(request.url()),
  )
  await page.goto(address)
  return { page, complaints, requests }
}

const groups = (page: Page) => page.locator('.group h3').allTextContents()
const count = (page: Page) => page.locator('#count')

test('the page opens without a complaint and asks the network for nothing', async () => {
  const { page, complaints, requests } = await open(productModel())
  await expect.poll(() => count(page).textContent()).toBe('42 findings of 44 in 5 rules')
  expect((await groups(page))[0]).toBe('User input reaches eval')
  expect(complaints).toEqual([])
  expect(requests).toEqual([])
})

test('search looks at file, rule, text and code, and every word must be there', async () => {
  const { page } = await open(productModel())
  await page.keyboard.press('/')
  await page.keyboard.type('delete SESSIONS')
  await expect.poll(() => count(page).textContent()).toBe('3 findings of 44 in 1 rule')
  expect(await groups(page)).toEqual(['SQL statement built from text'])
  await page.keyboard.press('Escape')
  await expect.poll(() => count(page).textContent()).toBe('42 findings of 44 in 5 rules')
  await page.fill('#search', 'nothing-has-this')
  await expect.poll(() => page.locator('#list').textContent()).toContain('No finding passes the filters.')
})

test('severity, status, rule and language narrow the list, and clearing brings it back', async () => {
  const { page } = await open(productModel())
  await page.locator('.chip', { hasText: 'high' }).click()
  await expect.poll(() => count(page).textContent()).toBe('5 findings of 44 in 2 rules')
  await page.selectOption('#language', 'go')
  await expect.poll(() => count(page).textContent()).toBe('1 finding of 44 in 1 rule')
  await page.click('#clear')
  await expect.poll(() => count(page).textContent()).toBe('42 findings of 44 in 5 rules')
  await page.selectOption('#status', 'suppressed')
  await page.selectOption('#rule', 'py-weak-hash')
  await expect.poll(() => count(page).textContent()).toBe('1 finding of 44 in 1 rule')
  await expect.poll(() => page.locator('.held').textContent()).toBe('Suppressed: only a cache key, approved by dana')
})

test('a finding opens to its lines, with what matched marked, its fix and the help of its rule', async () => {
  const { page } = await open(productModel())
  await page.getByText('By file').click()
  await page.locator('.group', { hasText: 'preview.js' }).locator('.card > summary').focus()
  const card = page.locator('.group', { hasText: 'preview.js' }).locator('.card')
  if ((await card.getAttribute('open')) === null) await page.keyboard.press('Enter')
  await expect.poll(() => card.locator('mark').textContent()).toBe('eval(request.body.template)')
  expect(await card.locator('.row i').textContent()).toBe('41')
  expect(await card.locator('.fix').textContent()).toBe('compile(request.body.template)')
  expect(await card.locator('.prose pre').textContent()).toBe('const value = JSON.parse(text)')
  expect(await card.getByRole('link', { name: 'CWE-95' }).getAttribute('href')).toBe(
    'https://cwe.mitre.org/data/definitions/95.html',
  )
})

test('the theme follows the system until it is chosen', async () => {
  const { page } = await open(productModel(), { colorScheme: 'dark' })
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const dark = await background()
  await page.click('#theme')
  const light = await background()
  expect(light).not.toBe(dark)
  await page.reload()
  expect(await background()).toBe(light)
  await page.click('#theme')
  expect(await background()).toBe(dark)
})

test('hostile names, code and messages are shown as text and run nowhere', async () => {
  const subject = hostileModel()
  const { page, complaints, requests } = await open(subject)
  for (const group of ['By file', 'By rule']) {
    await page.getByText(group, { exact: true }).click()
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
  }
  await page.selectOption('#status', '')
  await expect.poll(() => count(page).textContent()).toBe('16 findings in 8 rules')
  await page.evaluate("dispatchEvent(new Event('beforeprint'))")
  expect(await page.evaluate('window.hacked')).toBeUndefined()
  expect(await page.locator('img, iframe, object, embed, base').count()).toBe(0)
  expect(await page.locator('script').count()).toBe(3)
  const links = await page.locator('a[href]').evaluateAll(all => all.map(link => link.getAttribute('href') ?? ''))
  expect(links.filter(href => !/^(https:\/\/|#)/.test(href))).toEqual([])
  expect(complaints).toEqual([])
  expect(requests).toEqual([])
})

test('the policy stops a script that gets in all the same', async () => {
  const { page, complaints } = await open(productModel())
  await page.evaluate(
    "document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.hacked = 1' }))",
  )
  expect(await page.evaluate('window.hacked')).toBeUndefined()
  await expect.poll(() => complaints.join()).toContain('Content Security Policy')
})

test('of more than 5,000 findings the worst are carried, and the page says where the others are', async () => {
  const low = rule('many', { severity: 'low', title: 'Many' })
  const bad = rule('zz-bad', { severity: 'critical', title: 'Bad' })
  const findings = Array.from({ length: 6000 }, (_, n) => finding(low, `src/file-${n % 700}.js`, n + 1))
  const { page, complaints } = await open(model([...findings, finding(bad, 'zz.js', 1)], [low, bad]))
  expect(await page.locator('#left-out').textContent()).toBe(
    'This page contains the 5,000 most severe of 6,001 findings. The other 1,001 are in findings.json and report.sarif in the same directory.',
  )
  expect((await groups(page))[0]).toBe('Bad')
  await page.getByText('By file').click()
  const first = await page.locator('.group').count()
  expect(first).toBeLessThan(200)
  await page.locator('.more').last().scrollIntoViewIfNeeded()
  await expect.poll(() => page.locator('.group').count()).toBeGreaterThan(first)
  expect(complaints).toEqual([])
})

test('without scripts the summary, the worst findings and what was not checked are still there', async () => {
  const { page } = await open(productModel(), { javaScriptEnabled: false })
  expect(await page.locator('.by-rule li').first().textContent()).toContain('User input reaches eval: 2 in 2 files')
  expect(await page.locator('.plain li').first().textContent()).toContain('User input reaches eval')
  expect(await page.locator('#not-evaluated').textContent()).toContain('cobol-open-dataset')
  expect(await page.locator('#filters').isVisible()).toBe(false)
})

test('a score is shown only where the report is about one framework', async () => {
  const { page } = await open(productModel())
  expect(await page.locator('.dial').count()).toBe(0)
  const { page: narrowed } = await open({ ...productModel(), framework: 'owasp-top-10' })
  expect(await narrowed.locator('.dial .number').textContent()).toBe('87.5')
})

test('a rule with many findings takes one line at the top, and ten rules are listed, most severe first', async () => {
  const noisy = rule('tls', { severity: 'high', title: 'TLS certificate verification disabled' })
  const others = Array.from({ length: 11 }, (_, i) => rule(`rule-${i}`, { severity: i === 10 ? 'critical' : 'low' }))
  const findings = [
    ...Array.from({ length: 860 }, (_, n) => finding(noisy, `src/${n % 612}.ts`, n + 1)),
    ...others.map(other => finding(other, 'z.ts', 3)),
  ]
  const { page } = await open(model(findings, [noisy, ...others]))
  const lines = await page.locator('.by-rule li').allTextContents()
  expect(lines).toHaveLength(10)
  expect(lines[0]).toMatch(/^critical .*: z\.ts:3 rule-10$/)
  expect(lines[1]).toBe('high TLS certificate verification disabled: 860 in 612 files, first at src/0.ts:1 tls')
  expect(await page.locator('.by-rule').textContent()).toContain('... and 2 more rules')
})

test('on a phone of 390 pixels nothing reaches past the edge, with everything unfolded', async () => {
  const long = rule('long', {
    title: 'A title '.repeat(20),
    remediation: `Call it so:\n\n    ${'const agent = new https.Agent({ ca: readFileSync(path) }) '.repeat(4)}`,
    references: [`https://example.org/${'long-'.repeat(40)}`],
  })
  const subject = model(
    [finding(long, `src/${'deep/'.repeat(30)}a.js`, 1, { snippet: 'x'.repeat(400) }), ...productModel().findings],
    [long, ...productModel().rules.values()],
    {
      skipped: [{ path: `a/${'b'.repeat(200)}`, reason: 'binary' }],
      notices: [{ kind: 'baseline_stale', file: 'c'.repeat(200), detail: 'd'.repeat(200) }],
    },
  )
  const { page } = await open(subject)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => page.locator('.card').count()).toBeGreaterThan(0)
  for (let depth = 0; depth < 3; depth++)
    await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390)
})

test('print shows every passing finding with its code, and no controls', async () => {
  const { page } = await open(productModel())
  await page.locator('.chip', { hasText: 'high' }).click()
  await expect.poll(() => count(page).textContent()).toBe('5 findings of 44 in 2 rules')
  await page.evaluate("dispatchEvent(new Event('beforeprint'))")
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('.card .code').count()).toBe(5)
  expect(await page.locator('#filters').isVisible()).toBe(false)
})

test('everything that can be clicked can be reached and read by keyboard and by name', async () => {
  const { page } = await open(productModel())
  const nameless = await page.evaluate(`[...document.querySelectorAll('button, input, select, summary, a')].filter(
    each => each.checkVisibility() && !(each.textContent + [...(each.labels ?? [])].map(label => label.textContent)).trim(),
  ).length`)
  expect(nameless).toBe(0)
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the findings')
})

test('remediation shows indented code as code', async () => {
  const { page } = await open(productModel())
  await page.locator('.group', { hasText: 'py-weak-hash' }).locator('> summary').click()
  const block = page.locator('.group', { hasText: 'py-weak-hash' }).locator('.why .prose pre')
  await expect.poll(() => block.textContent()).toBe('key = hashlib.scrypt(password, salt=salt, n=2**14, r=8, p=1)')
})
