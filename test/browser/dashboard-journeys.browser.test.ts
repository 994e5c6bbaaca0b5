import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { soon, visit } from './dashboard-visit.ts'
import { KEY, makeProduct } from './product-server.ts'

/** So many findings that nobody looks at each: files with thirteen of the same. */
const MANY = Array.from({ length: 40 }, (_, n) => [
  `jobs/job_${n}.py`,
  `import yaml\n\n${Array.from({ length: 13 }, (_, at) => `def load${at}(text):\n    return yaml.load(text, Loader=yaml.UnsafeLoader)\n`).join('\n')}`,
])

const POLICY = '# Access policy\n'

function dateIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

const product = makeProduct({
  ...Object.fromEntries(MANY),
  'src/settings.py': 'import yaml\n\ndef read(text):\n    return yaml.load(text, Loader=yaml.UnsafeLoader)\n',
  'src/app.py': `import os
from flask import Flask, request
app = Flask(__name__)

@app.route('/ping')
def ping():
    host = request.args.get('host')
    command = 'ping -c 1 ' + host
    os.system(command)
    return 'ok'
`,
  CODEOWNERS: 'jobs/ @batch\nsrc/ @web\n',
  '.svc/config.yaml': 'packs:\n  enable: [soc2-tsc-2017]\ngovernance:\n  task_binding: { enabled: true }\n',
  'docs/policy.md': POLICY,
  '.svc/evidence.yaml': `- control: soc2-tsc-2017:CC6.1
  title: Access policy
  file: docs/policy.md
  sha256: ${createHash('sha256').update(POLICY).digest('hex')}
  owner: Dana Reed
  observed_at: ${dateIn(0)}
  expires: ${dateIn(365)}
`,
})
let base: string

beforeAll(async () => {
  await product.svc('scan')
  await product.svc('scan')
  await product.svc('task-bind', 'mend the jobs', '--path', 'jobs/**')
  product.addNeighbors(300)
  base = await product.serve()
})

/** A page of the dashboard for somebody who has signed in. */
async function enter(path: string) {
  const { page, complaints } = await visit(base, path)
  await page.locator('#key-input').fill(KEY)
  await page.keyboard.press('Enter')
  await page.locator('#sign-out').waitFor()
  complaints.length = 0
  return { page, complaints }
}

test('a team lead sees how things stand, what came since the run before, and hands on a link to the worst', async () => {
  const { page, complaints } = await enter('/dashboard')
  await soon(() => page.locator('h1').textContent()).toContain('522 open findings')
  expect(await page.locator('.rating .value').textContent()).toBe('E')
  expect(await page.getByRole('region', { name: 'Since the run before' }).textContent()).toMatch(/0 new 0 resolved/)
  await page.getByRole('region', { name: 'Since the run before' }).getByRole('link', { name: 'Compare' }).click()
  await soon(() => page.getByRole('region', { name: 'In both' }).locator('.heading b').textContent()).toBe('522')
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.locator('.severities button', { hasText: 'critical' }).click()
  await soon(() => page.locator('.total').textContent()).toBe('1 finding')
  await page.locator('.finding-line').click()
  await page.locator('.detail .meta').waitFor()
  const link = page.url()
  await page.goto('about:blank')
  await page.goto(link)
  await soon(() => page.locator('.detail h2').first().textContent()).toContain('Command injection')
  expect(complaints).toEqual([])
})

test('a security engineer groups 500 findings, suppresses those of a rule with a reason, and takes it back', async () => {
  const { page, complaints } = await enter('/dashboard#/findings?group=rule')
  await page.getByRole('button', { name: /yaml\.load/ }).click()
  await soon(() => page.locator('.total').textContent()).toBe('521 findings')
  await page.locator('summary', { hasText: 'Owner' }).click()
  await page.getByRole('list', { name: 'Owner' }).getByLabel('@web').check()
  await soon(() => page.locator('.total').textContent()).toBe('1 finding')
  await page.getByRole('list', { name: 'Owner' }).getByLabel('@web').uncheck()
  await page.getByRole('list', { name: 'Owner' }).getByLabel('@batch').check()
  await soon(() => page.locator('.total').textContent()).toBe('520 findings')
  await page
    .getByRole('checkbox', { name: /^Select/ })
    .first()
    .check()
  const bulk = page.getByRole('group', { name: 'Selected findings' })
  await bulk.getByRole('button', { name: 'Select the first 500' }).click()
  await soon(() => bulk.locator('b').textContent()).toBe('500 findings selected')
  await bulk.getByRole('button', { name: 'Suppress' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Suppress' }).click()
  expect(await dialog.isVisible(), 'no reason, no suppression').toBe(true)
  await dialog.getByLabel('Reason').fill('the jobs read files of their own only')
  await dialog.getByRole('button', { name: 'Suppress' }).click()
  await page.locator('.undo').waitFor()
  const read = () => readFileSync(join(product.cwd, '.svc/suppressions.yaml'), 'utf8')
  expect(read().split('the jobs read files of their own only').length - 1).toBeGreaterThanOrEqual(38)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('taken back').waitFor()
  expect(read()).not.toContain('the jobs read files')
  expect(complaints).toEqual([])
})

test('an auditor goes from a framework to a control, its findings and its evidence, and to a log that is checked', async () => {
  const { page, complaints } = await enter('/dashboard#/compliance?framework=soc2-tsc-2017')
  const control = page.locator('.control', { hasText: 'CC6.1' }).first()
  await control.locator('summary').click()
  await control.getByText('Access policy').waitFor()
  expect(await control.textContent()).toContain('Dana Reed')
  await page.getByLabel('State').selectOption('violated')
  const violated = page.locator('.control').first()
  await violated.locator('summary').click()
  await violated.getByRole('link', { name: /finding/ }).click()
  await soon(() => page.locator('.total').textContent()).toMatch(/^[\d,]+ findings?$/)
  expect(page.url()).toContain('control=soc2-tsc-2017')
  await page.getByRole('link', { name: 'Evidence' }).click()
  await soon(() => page.locator('#main').textContent()).toContain('Access policy')
  expect(await page.locator('#main').textContent()).toContain('svc evidence-export')
  await page.getByRole('link', { name: 'Audit log' }).first().click()
  await soon(() => page.locator('#main').textContent()).toContain('No tampering is seen')
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'JSON' }).click()])
  const entries = JSON.parse(readFileSync(await saved.path(), 'utf8')) as { action: string }[]
  expect(entries.length).toBeGreaterThan(0)
  expect(complaints).toEqual([])
})

test('a platform engineer finds one of 300 repositories, and the order and the search are a link', async () => {
  const { page, complaints } = await enter('/dashboard#/organization')
  await soon(() => page.locator('.total').nth(1).textContent()).toBe(
    '301 projects, the first 300 shown: search for the other 1',
  )
  await page.getByRole('button', { name: 'Project' }).click()
  await soon(() => page.locator('tbody tr').first().textContent()).toMatch(/^shopshop/)
  await page.getByRole('searchbox').fill('team-29')
  await soon(() => page.locator('.total').nth(1).textContent()).toBe('10 projects of 301')
  const link = page.url()
  await page.goto('about:blank')
  await page.goto(link)
  await soon(() => page.locator('tbody code').allTextContents()).toHaveLength(10)
  expect(complaints).toEqual([])
})

test('a developer follows the path of the input, applies the fix of another finding, and it is gone after a scan', async () => {
  const { page, complaints } = await enter('/dashboard#/findings?search=src/app.py')
  await page.locator('.finding-line', { hasText: 'app.py' }).click()
  const steps = page.getByRole('region', { name: 'Data flow' }).locator('li')
  await soon(() => steps.count()).toBeGreaterThan(2)
  expect(await steps.last().textContent()).toContain('9')
  await page.getByRole('searchbox').fill('src/settings.py')
  await soon(() => page.locator('.total').textContent()).toBe('1 finding')
  await page.locator('.finding-line', { hasText: 'settings.py' }).click()
  await soon(() => page.locator('.detail .come').textContent()).toContain('yaml.safe_load(text)')
  await page.getByRole('button', { name: 'Apply the fix' }).click()
  await page.getByText('The fix was applied').waitFor()
  expect(readFileSync(join(product.cwd, 'src/settings.py'), 'utf8')).toContain('yaml.safe_load(text)')
  await page.getByRole('button', { name: 'Scan now' }).click()
  await soon(() => page.locator('.total').textContent()).toBe('No finding matches.')
  await page.getByRole('link', { name: 'Overview' }).click()
  await soon(() => page.getByRole('region', { name: 'Since the run before' }).textContent()).toMatch(/0 new 1 resolved/)
  expect(complaints).toEqual([])
})
