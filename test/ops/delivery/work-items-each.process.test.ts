import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeRun } from '../../../engine/sources/store/write.ts'
import { configOf, environmentOf } from '../../delivery/providers/opened.ts'
import { call } from '../../governance/governed.ts'
import { runHere } from '../../made/command-line.ts'
import { folder } from '../../made/folder.ts'
import { git } from '../../made/git.ts'
import { project } from '../../made/project.ts'
import { startAzure } from '../../made/providers/azure.ts'
import { startGithub } from '../../made/providers/github.ts'
import { startGitlab } from '../../made/providers/gitlab.ts'
import { startJira } from '../../made/providers/jira.ts'
import type { StandIn } from '../../made/providers/server.ts'
import { finding, run } from '../../sources/store/make.ts'

type Name = 'github' | 'gitlab' | 'azure' | 'jira'

/** What the tests see of a provider's state, whatever the provider calls it. */
interface Items {
  titles(): string[]
  descriptions(): string[]
  states(): string[]
  rename(title: string): void
}

const ACCEPTED = 'Users log in.'

const START: Record<Name, () => Promise<[StandIn, Items]>> = {
  async github() {
    const issue = (number: number, title: string) => ({
      ...{
        number,
        title,
        body: ACCEPTED,
        state: 'open',
        state_reason: null,
        labels: [],
        updated: '2026-01-01T00:00:00Z',
      },
    })
    const made = await startGithub({ issues: [issue(1, 'Log in'), issue(2, 'Log out')] })
    const { issues } = made.state
    return [made, see(issues, { title: 'title', description: 'body', state: 'state' })]
  },
  async gitlab() {
    const issue = (iid: number, title: string) => ({ iid, title, description: ACCEPTED, state: 'opened', labels: [] })
    const made = await startGitlab({ issues: [issue(1, 'Log in'), issue(2, 'Log out')] })
    return [made, see(made.state.issues, { title: 'title', description: 'description', state: 'state' })]
  },
  async azure() {
    const item = (id: number, title: string) => ({
      ...{ id, rev: 1 },
      fields: { 'System.Title': title, 'System.Description': ACCEPTED, 'System.State': 'To Do' } as Record<
        string,
        unknown
      >,
    })
    const made = await startAzure({ items: [item(1, 'Log in'), item(2, 'Log out')] })
    const { items } = made.state
    const of = (key: string) => items.map(({ fields }) => String(fields[key]))
    return [
      made,
      {
        titles: () => of('System.Title'),
        descriptions: () => of('System.Description'),
        states: () => of('System.State'),
        rename(title) {
          items[0]!.fields['System.Title'] = title
        },
      },
    ]
  },
  async jira() {
    const issue = (key: string, summary: string) => ({
      ...{ key, summary, description: ACCEPTED, status: 'To Do', labels: [] },
    })
    const made = await startJira({ issues: [issue('SHOP-1', 'Log in'), issue('SHOP-2', 'Log out')] })
    return [made, see(made.state.issues, { title: 'summary', description: 'description', state: 'status' })]
  },
}

function see<T extends object>(list: T[], keys: Record<'title' | 'description' | 'state', keyof T>): Items {
  const of = (key: keyof T) => list.map(one => String(one[key]))
  return {
    titles: () => of(keys.title),
    descriptions: () => of(keys.description),
    states: () => of(keys.state),
    rename: title => Object.assign(list[0]!, { [keys.title]: title }),
  }
}

/** Ids of the requirements, the key of the first item, and how open and closed are called. */
const NAMES: Record<Name, { ids: string[]; key: string; open: string; closed: string }> = {
  github: { ids: ['GH-1', 'GH-2'], key: '#1', open: 'open', closed: 'closed' },
  gitlab: { ids: ['GL-1', 'GL-2'], key: '#1', open: 'opened', closed: 'closed' },
  azure: { ids: ['AB-1', 'AB-2'], key: 'AB#1', open: 'To Do', closed: 'Done' },
  jira: { ids: ['SHOP-1', 'SHOP-2'], key: 'SHOP-1', open: 'To Do', closed: 'Done' },
}

async function ground(name: Name, governance = '') {
  const [standIn, items] = await START[name]()
  const { open, closed } = NAMES[name]
  const states = `    states: { covered: ${closed}, untested: ${open}, unimplemented: ${open} }\n`
  const root = project({
    '.svc/config.yaml': `${configOf(standIn, name, states)}${governance}`,
    'login.js': 'export const a = 1\n',
  })
  const env = {
    PATH: process.env.PATH!,
    HOME: root,
    XDG_STATE_HOME: folder(),
    ...environmentOf(standIn, name),
  }
  const svc = (args: readonly string[], more: object = {}) => runHere(args, { cwd: root, env: { ...env, ...more } })
  return { items, root, env, svc }
}

const FINDINGS = [
  finding(1, { rule_id: 'js-a', severity: 'high', title: 'Tell @team or [~kim] <b>', file: 'login.js', line: 1 }),
  finding(2, { rule_id: 'js-a', severity: 'high', title: 'Tell @team or [~kim] <b>', file: 'login.js', line: 2 }),
  finding(3, { rule_id: 'js-b', severity: 'critical', title: '/close', file: 'login.js', line: 1 }),
].map(one => ({ ...one, status: 'open' as const }))

const OTHERS: Name[] = ['gitlab', 'azure', 'jira']

it.each(OTHERS)('pulls requirements from %s, sets the states of its items and creates new ones', async name => {
  const { items, root, svc } = await ground(name)
  const { ids, key, open, closed } = NAMES[name]
  const pulled = await svc(['pull-reqs', '--json'])
  expect(pulled.code, pulled.err).toBe(0)
  expect(JSON.parse(pulled.out)).toMatchObject({ provider: name, added: ids })
  items.rename('Log in with a passkey')
  const merged = await svc(['pull-reqs', '--merge', '--json'])
  expect(JSON.parse(merged.out).requirements[0]).toMatchObject({
    ...{ id: ids[0], title: 'Log in with a passkey', source: { provider: name, key } },
  })
  writeFileSync(join(root, 'login.js'), `// @req ${ids[0]}\nexport const a = 1\n`)
  writeFileSync(join(root, 'login.test.js'), `// @verifies ${ids[0]}\ntest('a', () => {})\n`)
  expect((await svc(['sync'])).out).toContain(`${key} (${ids[0]}, covered): ${open} → ${closed}`)
  expect(items.states()).toEqual([open, open])
  const done = await svc(['sync', '--yes'])
  expect(done.out, done.err).toContain('1 state set.')
  expect(items.states()).toEqual([closed, open])
  await createOnce(await ground(name))
})

it('creates the items at GitHub, too', async () => createOnce(await ground('github')))

/** Plans and creates items for the findings: once, and in a way that mentions nobody. */
async function createOnce({ items, root, svc }: Awaited<ReturnType<typeof ground>>): Promise<void> {
  await writeRun(join(root, 'out'), run('20260101-aa01', FINDINGS), FINDINGS, [])
  const plan = await svc(['reconcile', '--create', '--json'])
  expect(plan.code, plan.err).toBe(0)
  expect(JSON.parse(plan.out).created).toMatchObject([
    { title: 'Fix js-b (1 finding)', result: 'planned' },
    { title: 'Fix js-a (2 findings)', result: 'planned' },
  ])
  expect(items.titles()).toHaveLength(2)
  const made = await svc(['reconcile', '--create', '--yes'])
  expect(made.code, made.err).toBe(0)
  expect(items.titles().slice(2)).toEqual(['Fix js-b (1 finding)', 'Fix js-a (2 findings)'])
  const [, second = ''] = items.descriptions().slice(2)
  expect(second).toContain('login.js:2')
  expect(second).not.toMatch(/@team|\[~kim|<b>/)
  expect(items.descriptions().join('\n')).not.toMatch(/^\s*\/close/m)
  const again = JSON.parse((await svc(['reconcile', '--create', '--yes', '--json'])).out)
  expect([again.created, again.findings_without_item]).toEqual([[], []])
  expect(items.titles()).toHaveLength(4)
}

it('an agent creates nothing before a user agrees to exactly the plan', async () => {
  const governance = 'governance:\n  agent_defaults: { default_trust_level: admin }\n'
  const { items, root, env, svc } = await ground('github', governance)
  await writeRun(join(root, 'out'), run('20260101-aa01', FINDINGS), FINDINGS, [])
  const agent = { CLAUDECODE: '1' }
  const create = ['reconcile', '--create', '--yes']
  const asked = await svc(create, agent)
  expect(asked.err).toContain('Approval required')
  expect(items.titles()).toHaveLength(2)
  const [waiting] = JSON.parse((await svc(['approvals', '--json'])).out).approvals
  expect(waiting.diff).toContain('+ Fix js-a (2 findings)')
  await call({ root, env }, 'person', 'governance.approve', { id: waiting.id })
  await writeRun(join(root, 'out'), run('20260102-bb02', FINDINGS.slice(0, 1)), FINDINGS.slice(0, 1), [])
  expect((await svc(create, agent)).err).toContain('Approval required')
  await writeRun(join(root, 'out'), run('20260103-cc03', FINDINGS), FINDINGS, [])
  const done = await svc(create, agent)
  expect(done.code, done.err).toBe(0)
  expect(items.titles()).toHaveLength(4)
})

it('no agent creates work items where nothing is governed', async () => {
  const { items, root, svc } = await ground('github')
  await writeRun(join(root, 'out'), run('20260101-aa01', FINDINGS), FINDINGS, [])
  expect((await svc(['reconcile', '--create', '--yes'], { CLAUDECODE: '1' })).err).toContain('requires a user')
  expect(items.titles()).toHaveLength(2)
})

it('a finding has the item that the commit of its line names, and a closed one contradicts it', async () => {
  const { root, svc } = await ground('github')
  writeFileSync(join(root, 'login.js'), 'export const a = 1\nexport const b = 2\n')
  git(root, 'commit', '-qam', 'Log in, fixes #1')
  await writeRun(join(root, 'out'), run('20260101-aa01', FINDINGS), FINDINGS, [])
  const answer = JSON.parse((await svc(['reconcile', '--dry-run', '--json'])).out)
  expect(answer.findings_without_item.map(({ line }: { line: number }) => line)).toEqual([1, 1])
  expect(answer.contradictions).toMatchObject([{ kind: 'open_but_closed_by_commit', key: '#1' }])
})
