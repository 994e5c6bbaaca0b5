import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeRun } from '../../engine/sources/store/write.ts'
import { hostileModel } from '../assure/fixture.ts'
import { writeBeside } from './dashboard-beside.ts'
import { open, soon, titles } from './dashboard-page.ts'
import { storeRun } from './dashboard-server.ts'
import { productModel } from './product.ts'

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
    'TLS certificate is not checked',
    'SQL statement built from text',
  ])
  expect(await page.locator('.card').first().textContent()).toContain('and 1 like it')
  expect(await page.getByRole('region', { name: 'Since the run before' }).textContent()).toContain('3 resolved')
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
  await soon(() => page.locator('.row-line .title').allTextContents()).toEqual(
    Array.from({ length: 3 }, () => 'SQL statement built from text'),
  )
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

test('a finding opens beside the list to its reason, its code with line numbers and how to mend it', async () => {
  const { page, complaints } = await open('/dashboard#/findings')
  await page.locator('.finding-line', { hasText: 'preview.js' }).click()
  const detail = page.locator('.detail')
  await soon(() => detail.locator('.why').textContent()).toBe('Whoever controls the text runs code in this process.')
  expect(await detail.locator('.code').first().textContent()).toBe('41  const render = eval(request.body.template)')
  expect(await detail.locator('mark').textContent()).toBe('eval(request.body.template)')
  expect(await detail.locator('.mend pre').first().textContent()).toBe('const value = JSON.parse(text)')
  expect(await detail.locator('.come').textContent()).toBe('+  const render = compile(request.body.template)')
  expect(await detail.locator('.meta').textContent()).toContain('CWE-95')
  expect(page.url()).toContain('id=F-js-eval')
  await page.reload()
  await soon(() => detail.locator('.why').textContent()).toContain('Whoever controls')
  expect(complaints).toEqual([])
})

test('of a long list only what is seen is drawn, and the keyboard reaches its end', async () => {
  const { page } = await open('/dashboard#/findings', {
    runs: 0,
    async prepare({ cwd }) {
      await storeRun(join(cwd, 'out'), 0, 300)
    },
  })
  await soon(() => page.locator('.total').textContent()).toBe('939 findings')
  expect(await page.locator('.virtual li').count()).toBeLessThan(80)
  await page.keyboard.press('j')
  await soon(() => page.locator('.row-line.current').count()).toBe(1)
  await page.keyboard.press('End')
  await soon(() => page.locator('.virtual li:has(.current)').getAttribute('aria-posinset')).toBe('939')
  await page.keyboard.press('k')
  await soon(() => page.locator('.virtual li:has(.current)').getAttribute('aria-posinset')).toBe('938')
  await page.keyboard.press('Escape')
  await soon(() => page.locator('.detail').count()).toBe(0)
})

test('a finding that cannot be read leaves none in its place that could be suppressed for it', async () => {
  const { page } = await open('/dashboard#/findings')
  await page.locator('.finding-line').first().click()
  await page.locator('.detail .meta').waitFor()
  await page.route('**/api/findings/**', route =>
    route.request().method() === 'GET'
      ? route.fulfill({ status: 500, json: { detail: 'broken', code: 'INTERNAL' } })
      : route.continue(),
  )
  await page.keyboard.press('j')
  await page.locator('.beside [role=alert]').waitFor()
  expect(await page.locator('.detail').count()).toBe(0)
})

test('cancelling a suppression keeps what was selected', async () => {
  const { page } = await open('/dashboard#/findings')
  await page.getByRole('checkbox', { name: /^Select .*preview\.js/ }).check()
  await page.getByRole('group', { name: 'Selected findings' }).getByRole('button', { name: 'Suppress' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await soon(() => page.getByRole('dialog').count()).toBe(0)
  expect(await page.locator('.bulk b').textContent()).toBe('1 finding selected')
})

test('a severity that is switched by keyboard keeps the focus', async () => {
  const { page } = await open('/dashboard#/findings')
  const chip = page.getByRole('button', { name: 'high 5' })
  await chip.focus()
  await page.keyboard.press('Space')
  await soon(() => page.locator('.total').textContent()).toBe('5 findings')
  expect(await chip.evaluate(element => element === element.ownerDocument.activeElement)).toBe(true)
})

test('findings are suppressed together with a reason, and that is taken back', async () => {
  const { page, server } = await open('/dashboard#/findings', {
    runs: 0,
    async prepare({ cwd }) {
      const { run, findings } = productModel()
      const real = findings.map(each => ({ ...each, rule_id: 'js-eval-dynamic' }))
      await writeRun(join(cwd, 'out'), { ...run, id: '20260101-000000-aaaaaa' }, real, [])
    },
  })
  await page.getByRole('checkbox', { name: /^Select .*preview\.js/ }).check()
  await page.getByRole('group', { name: 'Selected findings' }).getByRole('button', { name: 'Suppress' }).click()
  await page.getByLabel('Reason').fill('accepted until the rewrite')
  await page.getByRole('dialog').getByRole('button', { name: 'Suppress' }).click()
  await page.locator('.undo').waitFor()
  const file = join(server.cwd, '.svc/suppressions.yaml')
  expect(readFileSync(file, 'utf8')).toContain('accepted until the rewrite')
  await page.getByRole('button', { name: 'Undo' }).click()
  await soon(() => readFileSync(file, 'utf8')).not.toContain('accepted until the rewrite')
})

test('what is shown is exported as it is filtered', async () => {
  const { page } = await open('/dashboard#/findings?severity=high')
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()])
  const lines = readFileSync(await saved.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(lines).toHaveLength(6)
  expect(lines[0]).toContain('severity,status,rule')
})

test('an earlier run is chosen in the chart by keyboard, stays chosen in every view, and the latest is one step away', async () => {
  const { page } = await open('/dashboard')
  const first = page.locator('.trend .column').first()
  await first.focus()
  await page.keyboard.press('Enter')
  await page.locator('.earlier').waitFor()
  await soon(() => page.locator('h1').textContent()).toMatch(/^(?!42 )\d+ open/)
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

test('of many runs the newest are listed with their total, and a link to an older one shows it', async () => {
  const { page, server } = await open('/dashboard#/runs', {
    runs: 0,
    async prepare({ cwd }) {
      const { run } = productModel()
      for (let n = 0; n < 63; n++) {
        const started_at = new Date(Date.parse('2026-02-02T09:30:00Z') + n * 86_400_000).toISOString()
        const id = `${started_at.slice(0, 10).replaceAll('-', '')}-093000-abcdef`
        await writeRun(join(cwd, 'out'), { ...run, id, started_at }, [], [])
      }
    },
  })
  await soon(() => page.locator('.total').textContent()).toBe('60 of 63 runs shown, newest first')
  await page.getByRole('button', { name: 'Show earlier runs' }).click()
  await soon(() => page.locator('.total').textContent()).toBe('63 runs, newest first')
  const oldest = page.locator('tbody tr').last().locator('.link')
  const address = `${server.base}/dashboard${await oldest.getAttribute('href')}`
  await page.goto('about:blank')
  await page.goto(address)
  await page.locator('.posture').waitFor()
  expect(await page.locator('.earlier').textContent()).toContain('Feb 2, 2026')
  expect(await page.getByRole('region', { name: 'Since the run before' }).textContent()).toContain('the first run')
  await page.goto(`${address}0`)
  await soon(() => page.locator('#main').textContent()).toContain('Show the latest')
  expect(await page.locator('#main').textContent()).toMatch(/no run/i)
})

test('rules are found by any word, and lead to what they find', async () => {
  const { page, complaints } = await open('/dashboard#/rules')
  await soon(() => page.locator('.total').textContent()).toMatch(/^[\d,]{3,} rules/)
  await page.getByRole('searchbox').fill('cwe-95 javascript critical')
  await soon(() => page.locator('.total').textContent()).toMatch(/^\d rules? of /)
  await page.getByRole('button', { name: 'Findings' }).click()
  await soon(() => page.url()).toMatch(/search=cwe-95.*sort=-findings/)
  await page.reload()
  await soon(() => page.locator('.total').textContent()).toMatch(/^\d rules? of /)
  expect(await page.getByRole('columnheader', { name: 'Findings' }).getAttribute('aria-sort')).toBe('descending')
  await page.locator('tbody .link').first().click()
  await page.getByRole('heading', { name: 'How to fix it' }).waitFor()
  expect(await page.locator('.detail .code').count()).toBeGreaterThan(1)
  expect(complaints).toEqual([])
})

test('two runs are compared, and any other can be chosen', async () => {
  const { page, complaints } = await open('/dashboard#/runs')
  await page
    .getByRole('link', { name: /Compare/ })
    .first()
    .click()
  await page.getByRole('region', { name: 'Resolved' }).waitFor()
  expect(await page.getByRole('region', { name: 'Resolved' }).locator('.heading b').textContent()).toBe('3')
  await page.getByLabel('Against').selectOption({ index: 5 })
  await soon(() => page.getByRole('region', { name: 'Resolved' }).locator('.heading b').textContent()).toBe('15')
  expect(complaints).toEqual([])
})

test('the address of no page says so', async () => {
  const { page } = await open('/dashboard#/nowhere')
  await page.getByRole('heading', { name: 'No such page' }).waitFor()
})

test('gaps name what was skipped, the rarest reason first, and what was not evaluated', async () => {
  const { page } = await open('/dashboard#gaps')
  await page.locator('.reason').first().waitFor()
  expect((await page.locator('.reason summary b').allTextContents()).at(-1)).toBe('binary')
  expect(await page.locator('.reason', { hasText: 'too large' }).textContent()).toContain('18 MB; the limit is 5 MB')
  expect(await page.locator('#main').textContent()).toMatch(/cobol-open-dataset.*every file.*no grammar/)
  expect(await page.locator('#main').textContent()).toContain('expired on 2026-01-31')
})

test('places to review are counted beside the findings and listed on demand, apart from them', async () => {
  const { page, complaints } = await open('/')
  await page.getByRole('link', { name: '12 places to review' }).click()
  await page.getByRole('heading', { name: 'Places to review' }).waitFor()
  await page.locator('.reason summary').click()
  expect(await page.locator('.reason').textContent()).toMatch(/src\/<b>\.py:11.*The first 11 of 12/)
  await page.getByRole('link', { name: 'All findings' }).click()
  await soon(() => page.locator('.total').textContent()).toBe('42 findings')
  await page.getByRole('link', { name: '12 places to review' }).waitFor()
  expect(complaints).toEqual([])
})

test('a directory of the map leads to its files, which are sorted by a metric and lead to their findings', async () => {
  const { page, complaints } = await open('/dashboard#/files')
  await page.getByRole('link', { name: /^services\/, / }).click()
  await soon(() => page.locator('h1').textContent()).toMatch(/^\d files$/)
  await page.getByRole('button', { name: 'Lines' }).click()
  expect(page.url()).toContain('sort=-lines')
  const lines = (await page.locator('tbody tr td:nth-child(4)').allTextContents()).map(Number)
  expect(lines).toEqual([...lines].sort((a, b) => b - a))
  await page.locator('tbody tr', { hasText: 'queries.py' }).locator('a').click()
  await soon(() => page.locator('.total').textContent()).toBe('3 findings')
  expect(complaints).toEqual([])
})

test('requirements are shown as text with the state of each, and those of one state alone', async () => {
  const { page, complaints } = await open('/dashboard#/requirements', { prepare: writeBeside })
  await soon(() => page.locator('tbody tr').allTextContents()).toEqual([
    expect.stringMatching(/REQ-2.*unimplemented/),
    expect.stringMatching(/Users <b>log in<\/b>.*untested/),
  ])
  await page.getByLabel('State').selectOption('untested')
  await soon(() => page.locator('tbody tr').count()).toBe(1)
  expect(complaints).toEqual([])
})
