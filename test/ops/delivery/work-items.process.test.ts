import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import workItems from '../../../engine/ops/delivery/work-items.ts'
import { configOf, environmentOf } from '../../delivery/providers/opened.ts'
import { context } from '../../made/call.ts'
import { runHere } from '../../made/command-line.ts'
import { git } from '../../made/git.ts'
import { project } from '../../made/project.ts'
import { startGithub } from '../../made/providers/github.ts'
import { startJira } from '../../made/providers/jira.ts'

const issue = (number: number, title: string, body = '', state = 'open') => ({
  ...{ number, title, body, state, state_reason: null, labels: [], updated: `2026-01-0${number}T00:00:00Z` },
})

async function ground(more = '') {
  const github = await startGithub({
    issues: [
      issue(1, 'Log in', 'Users log in.\n\n## Acceptance criteria\n- [ ] a wrong password is refused\n- three tries'),
      issue(2, 'Log out'),
    ],
  })
  const root = project({ '.svc/config.yaml': configOf(github, 'github', more), 'login.js': 'export const a = 1\n' })
  const env = { PATH: process.env.PATH!, HOME: root, ...environmentOf(github) }
  const svc = (...args: string[]) => runHere(args, { cwd: root, env })
  const edit = (from: string, to: string) => {
    const file = join(root, 'requirements.yaml')
    const text = readFileSync(file, 'utf8')
    expect(text).toContain(from)
    writeFileSync(file, text.replace(from, to))
  }
  return { github, root, env, svc, edit, read: () => readFileSync(join(root, 'requirements.yaml'), 'utf8') }
}

it('pulls work items with source and acceptance criteria', async () => {
  const { svc } = await ground()
  const { code, out, err } = await svc('pull-reqs', '--json')
  expect(code, err).toBe(0)
  const answer = JSON.parse(out)
  expect(answer).toMatchObject({
    status: 'ok',
    provider: 'github',
    requirements_file: 'requirements.yaml',
    count: 2,
    added: ['GH-1', 'GH-2'],
  })
  expect(answer.requirements[0]).toMatchObject({
    ...{ id: 'GH-1', title: 'Log in', status: 'approved', acceptance: ['a wrong password is refused', 'three tries'] },
    source: { provider: 'github', key: '#1' },
  })
})

it('keeps both sides’ edits with --merge, and names a conflict: exit 1', async () => {
  const { github, svc, edit, read } = await ground()
  await svc('pull-reqs')
  edit('title: Log out', 'title: Log out everywhere')
  github.state.issues[0]!.title = 'Log in with a passkey'
  expect((await svc('pull-reqs', '--merge')).code).toBe(0)
  expect(read()).toContain('title: Log in with a passkey')
  expect(read()).toContain('title: Log out everywhere')
  edit('title: Log in with a passkey', 'title: Log in by mail')
  github.state.issues[0]!.title = 'Log in by SMS'
  const { code, out } = await svc('pull-reqs', '--merge')
  expect([code, out]).toEqual([1, expect.stringContaining('title changed on both sides')])
  expect(read()).toContain('title: Log in by mail')
})

it('replaces the provider’s words without --merge, and keeps own requirements and files', async () => {
  const { svc, edit, read } = await ground()
  await svc('pull-reqs')
  edit('title: Log out', 'title: Mine\n    files: [login.js]')
  edit('requirements:\n', 'requirements:\n  - id: OWN-1\n    title: Own\n')
  await svc('pull-reqs')
  expect(read()).toContain('title: Log out')
  expect(read()).toContain('login.js')
  expect(read()).toContain('OWN-1')
})

it('names the files that commits changed for an item', async () => {
  const { svc, root } = await ground()
  writeFileSync(join(root, 'login.js'), 'export const a = 2\n')
  git(root, 'commit', '-qam', 'Log in (#1)')
  const { out } = await svc('pull-reqs', '--map-files', '--json')
  expect(JSON.parse(out).requirements.map(({ files }: { files: string[] }) => files)).toEqual([['login.js'], []])
})

it('refuses a requirements file that it cannot read, and a file elsewhere', async () => {
  const { svc, root } = await ground()
  writeFileSync(join(root, 'requirements.yaml'), 'requirements: 3\n')
  expect((await svc('pull-reqs')).code).toBe(64)
  expect((await svc('pull-reqs', '--output', '../r.yaml')).code).toBe(64)
  expect((await svc('pull-reqs', '--output', '.git/hooks/r.yaml')).code).toBe(64)
})

it('plans states first, and sets them with --yes', async () => {
  const { github, svc, root } = await ground('    states: { covered: closed, untested: open, unimplemented: open }\n')
  await svc('pull-reqs')
  writeFileSync(join(root, 'login.js'), '// @req GH-1\nexport const a = 1\n')
  writeFileSync(join(root, 'login.test.js'), "// @verifies GH-1\ntest('a', () => {})\n")
  const plan = await svc('sync')
  expect([plan.code, plan.out]).toEqual([0, expect.stringContaining('#1 (GH-1, covered): open → closed')])
  expect(github.state.issues[0]!.state).toBe('open')
  const done = await svc('sync', '--yes')
  expect(done.out).toContain('1 state set.')
  expect(github.state.issues.map(({ state }) => state)).toEqual(['closed', 'open'])
  expect((await svc('sync')).out).toContain('Nothing to set.')
})

it('without a mapping, sync says what to configure', async () => {
  const { svc } = await ground()
  const { code, err } = await svc('sync')
  expect([code, err]).toEqual([64, expect.stringContaining('providers.github.states')])
})

it('lists work items page by page', async () => {
  const issues = Array.from({ length: 130 }, (_, at) => ({
    key: `SHOP-${at + 1}`,
    summary: 's',
    description: '',
    status: 'To Do',
    labels: [],
  }))
  const jira = await startJira({ issues })
  const root = project({ '.svc/config.yaml': configOf(jira, 'jira') })
  const call = (cursor?: string) =>
    workItems.run({ limit: 100, ...(cursor && { cursor }) }, context(root, { env: environmentOf(jira, 'jira') }))
  const first = await call()
  expect([first.work_items.length, first.total, first.next_cursor]).toEqual([100, 130, '100'])
  const last = await call('100')
  expect([last.work_items.length, last.next_cursor]).toEqual([30, undefined])
})

it('reconciles commits with the provider’s items', async () => {
  const { svc, root } = await ground()
  writeFileSync(join(root, 'login.js'), 'export const a = 3\n')
  git(root, 'commit', '-qam', 'Log in (#1)')
  const { code, out, err } = await svc('reconcile', '--dry-run', '--json')
  expect(code, err).toBe(0)
  const answer = JSON.parse(out)
  expect(answer).toMatchObject({ work_items_file: 'provider github', items: 2 })
  expect(answer.items_without_commit.map(({ key }: { key: string }) => key)).toEqual(['#2'])
  expect((await svc('reconcile', '--provider', 'github', '--work-items', 'x.yaml')).code).toBe(64)
})
