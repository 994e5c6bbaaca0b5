import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { call, register } from '../governance/governed.ts'
import { open, soon } from './dashboard-page.ts'
import type { DashboardServer } from './dashboard-server.ts'

const KEY = ['key', 'of', 'the', 'test'].join('-')
const FILES = {
  'src/a.js': 'let a = 1\n',
  '.svc/config.yaml': 'governance:\n  task_binding:\n    enabled: true\n  blast_radius:\n    enabled: true\n',
}

/** An agent at work, and a request that waits for a person. */
async function work({ cwd: root, env }: DashboardServer): Promise<void> {
  const where = { root, env }
  const agent = await register(where, 'mender')
  await call(where, agent, 'governance.task-bind', { intent: 'mend <b>the</b> parser', path: ['src/**'] })
  await call(where, agent, 'governance.request-approval', {
    type: 'dependency_add',
    title: 'add left-pad',
    context: 'it is needed to pad',
  })
}

async function signIn(page: Page): Promise<void> {
  await page.locator('#key-input').fill(KEY)
  await page.keyboard.press('Enter')
}

test('a supervisor sees the session of an agent as it happens, freezes everybody and looks at a rollback', async () => {
  const { page, server, complaints } = await open('/dashboard#/agents', {
    files: FILES,
    key: KEY,
    runs: 1,
    prepare: work,
  })
  await signIn(page)
  await page.getByText('mend <b>the</b> parser').first().waitFor()
  await soon(() => page.locator('.live').textContent()).toBe('Live')
  await call({ root: server.cwd, env: server.env }, 'person', 'governance.agent-register', { name: 'second' })
  await page.locator('.feed li', { hasText: 'second' }).first().waitFor()
  await page.getByRole('button', { name: 'Freeze all agents' }).click()
  await page.getByText('every agent is frozen').waitFor()
  await page.getByRole('button', { name: 'Preview a rollback' }).click()
  await page.getByRole('region', { name: 'Preview of the rollback' }).waitFor()
  await page.getByRole('button', { name: 'Unfreeze all agents' }).click()
  await page.getByRole('button', { name: 'Freeze all agents' }).waitFor()
  expect(complaints.filter(text => !text.includes('401'))).toEqual([])
})

test('an approver on a phone reads what is asked and decides with a comment', async () => {
  const { page, server } = await open(
    '/dashboard#/approvals',
    { files: FILES, key: KEY, runs: 1, prepare: work },
    { viewport: { width: 360, height: 740 } },
  )
  await signIn(page)
  await page.getByRole('heading', { name: 'add left-pad' }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  await page.getByLabel('Comment').fill('looked at it')
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await soon(() => page.locator('.total').textContent()).toBe('No pending approval request.')
  const { output } = await call({ root: server.cwd, env: server.env }, 'person', 'governance.approvals', {
    status: 'approved',
  })
  expect(output.approvals).toMatchObject([{ title: 'add left-pad', comment: 'looked at it' }])
})

test('a setting is validated as it is changed, shown as a change of the file, and written', async () => {
  const { page, server, complaints } = await open('/dashboard#/configuration', { files: FILES, key: KEY, runs: 1 })
  await signIn(page)
  await page.getByRole('searchbox').fill('scan.max_file_bytes')
  const field = page.getByLabel('scan.max_file_bytes', { exact: true })
  await field.fill('-3')
  await field.press('Tab')
  await page.locator('.beside [role=alert]').waitFor()
  expect(await page.getByRole('button', { name: 'Write' }).isDisabled()).toBe(true)
  await field.fill('1000000')
  await field.press('Tab')
  await soon(() => page.locator('.beside .come').allTextContents()).toEqual(['+scan:', '+  max_file_bytes: 1000000'])
  await page.getByRole('button', { name: 'Write' }).click()
  await soon(() => readFileSync(join(server.cwd, '.svc/config.yaml'), 'utf8')).toContain('max_file_bytes: 1000000')
  await soon(() => page.locator('.file').textContent()).toContain('max_file_bytes: 1000000')
  expect(complaints.filter(text => !/401|422/.test(text))).toEqual([])
})

test('what an agent asks and does while a page is open comes onto it without a reload', async () => {
  const { page, server } = await open('/dashboard#/approvals', { files: FILES, key: KEY, runs: 1, prepare: work })
  await signIn(page)
  await page.getByRole('heading', { name: 'add left-pad' }).waitFor()
  const where = { root: server.cwd, env: server.env }
  const agent = await register(where, 'asker')
  await call(where, agent, 'governance.request-approval', { type: 'dependency_add', title: 'add right-pad' })
  await page.getByRole('heading', { name: 'add right-pad' }).waitFor()
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await page.getByRole('link', { name: 'Agents', exact: true }).click()
  const sessions = page.getByRole('region', { name: 'Open sessions' })
  await sessions.getByText('mend <b>the</b> parser').waitFor()
  await call(where, agent, 'governance.task-bind', { intent: 'pad on the right', path: ['src/**'] })
  await sessions.getByText('pad on the right').waitFor()
  // Asking is recorded in no log: a page that heard of its own question would ask without end.
  await page.waitForTimeout(1500)
  expect(asked.filter(path => path === '/api/pages/agents')).toHaveLength(2)
})

test('the outcome of an action is shown until it is closed or another page is opened', async () => {
  const { page } = await open('/dashboard#/agents', { files: FILES, key: KEY, runs: 1, prepare: work })
  await signIn(page)
  const notice = page.getByRole('status').filter({ hasText: 'every further action is denied' })
  await page.getByRole('button', { name: 'Freeze all agents' }).click()
  await notice.waitFor()
  expect((await notice.boundingBox())!.height).toBeGreaterThan(20)
  await page.getByRole('button', { name: 'Close the notice' }).click()
  await soon(() => notice.count()).toBe(0)
  await page.getByRole('button', { name: 'Unfreeze all agents' }).click()
  await page.getByText('Not frozen any more.').waitFor()
  await page.getByRole('link', { name: 'Audit log' }).first().click()
  await soon(() => page.getByText('Not frozen any more.').count()).toBe(0)
})

test('on a read-only server every button that writes is disabled and says why', async () => {
  const { page, server } = await open('/dashboard#/agents', {
    files: FILES,
    key: KEY,
    readOnly: true,
    runs: 1,
    prepare: work,
  })
  await signIn(page)
  const expectDisabled = async (name: RegExp) => {
    const button = page.locator('#main').getByRole('button', { name }).first()
    await button.waitFor()
    expect([await button.isDisabled(), await button.getAttribute('title')], String(name)).toEqual([
      true,
      'This server is read-only.',
    ])
  }
  await expectDisabled(/^Freeze all/)
  await page.goto(`${server.base}/dashboard#/approvals`)
  await expectDisabled(/^Approve/)
  await expectDisabled(/^Reject/)
  await page.goto(`${server.base}/dashboard#/configuration?search=scan.max_file_bytes`)
  await page.getByLabel('scan.max_file_bytes', { exact: true }).fill('1000000')
  await page.keyboard.press('Tab')
  await expectDisabled(/^Write/)
  await page.goto(`${server.base}/dashboard#/findings`)
  await page
    .getByRole('checkbox', { name: /^Select/ })
    .first()
    .check()
  await expectDisabled(/^Suppress/)
  await page.locator('.finding-line', { hasText: 'preview.js' }).click()
  await page.locator('.detail .actions').waitFor()
  for (const name of ['Suppress', 'Apply the fix'])
    expect(await page.locator('.detail').getByRole('button', { name }).isDisabled(), name).toBe(true)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('scan now')
  expect(await page.getByRole('option', { name: /^Scan now/ }).getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Enter')
  expect(await page.locator('#scanning').isVisible()).toBe(false)
})

test('a change of the configuration that is not written yet outlives a scan', async () => {
  const { page } = await open('/dashboard#/configuration?search=scan.max_file_bytes', { files: FILES, runs: 1 })
  await page.getByLabel('scan.max_file_bytes', { exact: true }).fill('1000000')
  await page.keyboard.press('Tab')
  await page.locator('.beside .come').first().waitFor()
  await page.getByRole('button', { name: 'Scan now' }).click()
  await soon(() => page.locator('#said').textContent()).toContain('The scan is done')
  expect(await page.locator('.beside .come').allTextContents()).toContain('+  max_file_bytes: 1000000')
})

test('the audit log is filtered, and says whether it was tampered with', async () => {
  const { page } = await open('/dashboard#/audit', { files: FILES, key: KEY, runs: 1, prepare: work })
  await signIn(page)
  await page.locator('tbody tr').first().waitFor()
  expect(await page.locator('#main').textContent()).toContain('No tampering is seen')
  await page.getByRole('searchbox', { name: 'Agent' }).fill('mender')
  await page.keyboard.press('Enter')
  await soon(async () => {
    const names = await page.locator('tbody td:nth-child(4)').allTextContents()
    return names.length > 0 && names.every(name => name.startsWith('mender'))
  }).toBe(true)
})

test('Ctrl-K leads to any page by keyboard alone, and ? shows the keys', async () => {
  const { page, complaints } = await open('/dashboard', { runs: 1 })
  await page.locator('.posture').waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('provid')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'This repository' }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  await page.locator('.row-line').first().waitFor()
  expect(complaints).toEqual([])
})
