import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeRun } from '../../engine/sources/store/write.ts'
import { hostileModel } from '../assure/fixture.ts'
import { open, soon, titles } from './dashboard-page.ts'

test('the overview shows the rating, the severities, the way they came and the worst first', async () => {
  const { page, complaints, foreign } = await open('/')
  await soon(() => page.locator('.rating .value').textContent()).toBe('E')
  expect(await page.title()).toBe('Overview · storefront')
  expect(await page.locator('h1').textContent()).toContain('42 open findings')
  expect((await page.locator('.severities button').allTextContents()).map(text => text.trim())).toEqual([
    '2 critical',
    '5 high',
    '1 medium',
    '34 low',
    '0 info',
  ])
  expect(await page.locator('.trend .column').count()).toBe(6)
  expect((await titles(page)).slice(0, 3)).toEqual([
    'User input reaches eval',
    'User input reaches eval',
    'TLS certificate is not checked',
  ])
  expect(await page.locator('.seen').textContent()).toContain('40 files skipped (38 binary')
  expect(await page.locator('.seen').textContent()).toContain('not a pass')
  expect(complaints).toEqual([])
  expect(foreign).toEqual([])
})

test('a repository that was never scanned says so and offers a scan', async () => {
  const { page, complaints } = await open('/dashboard', { runs: 0 })
  await page.getByRole('heading', { name: 'Nothing has been scanned yet' }).waitFor()
  await page.locator('.empty button').click()
  await soon(() => page.locator('h1').textContent()).toContain('42 open findings')
  expect(complaints).toEqual([])
})

test('a run that evaluated no rule is not shown as a clean one', async () => {
  const { page } = await open('/dashboard', {
    runs: 0,
    async prepare({ cwd }) {
      const { run } = hostileModel()
      const counts = {
        ...run.counts,
        rules: 0,
        open: 0,
        by_severity: { critical: 0, high: 0, medium: 0, low: 0, info: 0 },
      }
      await writeRun(join(cwd, 'out'), { ...run, id: '20260101-000000-aaaaaa', score: undefined, counts }, [], [])
    },
  })
  await page.getByRole('heading', { name: 'No rule was evaluated' }).waitFor()
  expect(await page.locator('#main').textContent()).toContain('Unknown: no rule')
  expect(await page.locator('#main .good, .trend .none').count()).toBe(0)
})

test('a scan shows its progress and then its result', async () => {
  const { page, server, complaints } = await open('/dashboard')
  const goOn = server.holdScans()
  await page.locator('.trend .column').first().waitFor()
  await page.getByRole('button', { name: 'Scan now' }).click()
  await page.getByText(/\d+ of 412 files, .*findings/).waitFor()
  expect(await page.getByRole('button', { name: 'Scan now' }).isDisabled()).toBe(true)
  expect(await page.locator('#scanning .badge').first().textContent()).toBe('2 critical')
  goOn()
  await soon(() => page.locator('.trend .column').count()).toBe(7)
  await soon(() => page.locator('#scanning').isVisible()).toBe(false)
  await soon(() => page.getByRole('button', { name: 'Scan now' }).isDisabled()).toBe(false)
  await soon(() => page.locator('#said').textContent()).toContain('The scan is done')
  expect(complaints).toEqual([])
})

test('a scan that is stopped keeps nothing', async () => {
  const { page, server, complaints } = await open('/dashboard')
  server.holdScans()
  await page.locator('.trend .column').first().waitFor()
  await page.getByRole('button', { name: 'Scan now' }).click()
  await page.getByRole('button', { name: 'Stop' }).click()
  await soon(() => page.locator('#scanning').isVisible()).toBe(false)
  await soon(() => page.locator('#said').textContent()).toContain('stopped')
  await page.reload()
  await soon(() => page.locator('.trend .column').count()).toBe(6)
  expect(complaints).toEqual([])
})

test('findings are filtered by severity, status and search, and the address keeps the filter', async () => {
  const { page, complaints } = await open('/dashboard#findings')
  const total = page.locator('.total')
  await soon(() => total.textContent()).toBe('42 findings')
  await page.getByRole('button', { name: 'high 5' }).click()
  await soon(() => total.textContent()).toBe('5 findings')
  await page.getByRole('button', { name: 'critical 2' }).click()
  await soon(() => total.textContent()).toBe('7 findings')
  await page.getByRole('searchbox').pressSequentially('QUERIES', { delay: 20 })
  await soon(() => total.textContent()).toBe('3 findings')
  await soon(() => page.locator('#search:focus').count()).toBe(1)
  expect(page.url()).toContain('severity=critical%2Chigh&search=QUERIES')
  await page.reload()
  await soon(() => total.textContent()).toBe('3 findings')
  await page.goBack()
  await soon(() => total.textContent()).toBe('7 findings')
  await page.getByLabel('Status').selectOption('suppressed')
  await soon(() => total.textContent()).toBe('No finding matches.')
  expect(complaints).toEqual([])
})

test('a finding opens to its reason, its code with line numbers and how to mend it', async () => {
  const { page } = await open('/dashboard#findings')
  const card = page.locator('.card', { hasText: 'preview.js' })
  await card.locator('summary').click()
  await expect
    .poll(() => card.locator('.why').textContent())
    .toBe('Whoever controls the text runs code in this process.')
  expect(await card.locator('.code').textContent()).toBe('41  const render = eval(request.body.template)')
  expect(await card.locator('mark').textContent()).toBe('eval(request.body.template)')
  expect(await card.locator('.mend pre').first().textContent()).toBe('const value = JSON.parse(text)')
  expect(await card.locator('.meta').textContent()).toContain('CWE-95')
})

test('long lists come in pages, and the next page keeps the place of the keyboard', async () => {
  const { page } = await open('/dashboard#findings', { runs: 40 })
  await page.locator('.total').waitFor()
  await page.getByRole('link', { name: 'Runs' }).click()
  await page.locator('tbody .link').last().click()
  await page.getByRole('link', { name: 'Findings' }).click()
  await soon(() => page.locator('.total').textContent()).toMatch(/^1\d\d findings, 100 shown$/)
  await page.getByRole('button', { name: 'Show more' }).press('Enter')
  await soon(() => page.locator('.total').textContent()).toMatch(/^1\d\d findings$/)
  await soon(() => page.locator('.card:nth-child(101) > summary:focus').count()).toBe(1)
})

test('an earlier run is chosen in the chart by keyboard, stays chosen in every view, and the latest is one step away', async () => {
  const { page } = await open('/dashboard')
  const first = page.locator('.trend .column').first()
  await first.focus()
  await page.keyboard.press('Enter')
  await page.locator('.earlier').waitFor()
  const open42 = await page.locator('h1').textContent()
  expect(open42).not.toContain('42 open')
  await page.getByRole('link', { name: 'Findings' }).click()
  await page.locator('.total').waitFor()
  expect(await page.locator('.earlier').textContent()).toContain('Feb 2, 2026')
  await page.getByRole('link', { name: 'Show the latest' }).click()
  await soon(() => page.locator('.total').textContent()).toBe('42 findings')
})

test('runs are listed newest first, each with its report to take along', async () => {
  const { page, complaints } = await open('/dashboard#runs')
  await soon(() => page.locator('tbody tr').count()).toBe(6)
  expect(await page.locator('tbody tr').first().textContent()).toContain('Feb 7, 2026')
  const [report] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: /Download the report/ })
      .first()
      .click(),
  ])
  expect(report.suggestedFilename()).toMatch(/^report-20260207-.*\.html$/)
  expect(readFileSync(await report.path(), 'utf8')).toMatch(/^<!doctype html>/i)
  expect(complaints).toEqual([])
})

test('rules are found by any word, and lead to their findings', async () => {
  const { page } = await open('/dashboard#rules')
  await soon(() => page.locator('tbody tr').count()).toBe(5)
  await page.getByRole('searchbox').fill('cwe-89 python')
  await soon(() => page.locator('tbody tr').count()).toBe(1)
  await page.getByRole('button', { name: 'SQL statement built from text' }).click()
  await soon(() => page.locator('.total').textContent()).toBe('4 findings')
})

test('gaps name what was skipped, the rarest reason first, and what was not evaluated', async () => {
  const { page } = await open('/dashboard#gaps')
  await page.locator('.reason').first().waitFor()
  expect((await page.locator('.reason summary b').allTextContents()).at(-1)).toBe('binary')
  expect(await page.locator('.reason', { hasText: 'too large' }).textContent()).toContain('18 MB; the limit is 5 MB')
  expect(await page.locator('#main').textContent()).toMatch(/cobol-open-dataset.*every file.*no grammar/)
  expect(await page.locator('#main').textContent()).toContain('expired on 2026-01-31')
})
