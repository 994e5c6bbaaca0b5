import { mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { View } from '../../engine/base/text/view.ts'
import taskComplete from '../../engine/ops/governance/task-complete.ts'
import { runWithState } from '../../engine/sources/state/open.ts'
import { write } from '../made/folder.ts'
import { git } from '../made/git.ts'
import { call, type Place, place, refused, register } from './governed.ts'

const BLOCK = 'task_binding:\n  enabled: true\n  enforcement: block'

/** What completing a session says after something was done to the tree. */
async function completedAfter(where: Place, work: (root: string) => void, paths = ['src/**']) {
  const { output } = await call(where, { marker: 'CLAUDECODE' }, 'governance.task-bind', { intent: 'x', path: paths })
  work(where.root)
  const { id } = output.session
  return (await call(where, { marker: 'CLAUDECODE' }, 'governance.task-complete', { id })).output
}

describe('completing a task asks git what was really changed, and finds', () => {
  const found: [string, (root: string) => void, string[]][] = [
    ['a file in the working tree', root => write(root, { 'doc/b.md': 'other\n' }), ['doc/b.md']],
    [
      'a staged file whose working copy was put back',
      root => {
        write(root, { 'doc/b.md': 'other\n' })
        git(root, 'add', '-A')
        write(root, { 'doc/b.md': 'b\n' })
      },
      ['doc/b.md'],
    ],
    ['an untracked file', root => write(root, { 'doc/new.md': 'x' }), ['doc/new.md']],
    [
      'an untracked file that the repository’s own excludes hide',
      root => {
        writeFileSync(join(root, '.git/info/exclude'), 'doc/\n')
        write(root, { 'doc/new.md': 'x' })
      },
      ['doc/new.md'],
    ],
    [
      'a commit',
      root => {
        write(root, { 'doc/b.md': 'other\n' })
        git(root, 'commit', '-qam', 'x')
      },
      ['doc/b.md'],
    ],
    [
      'a commit that a later one has undone',
      root => {
        write(root, { 'doc/b.md': 'other\n' })
        git(root, 'commit', '-qam', 'x')
        write(root, { 'doc/b.md': 'b\n' })
        git(root, 'commit', '-qam', 'y')
      },
      ['doc/b.md'],
    ],
    ['a deletion', root => unlinkSync(join(root, 'doc/b.md')), ['doc/b.md']],
    [
      'a rename out of the paths, by its new name',
      root => {
        mkdirSync(join(root, 'lib'))
        git(root, 'mv', 'src/a.js', 'lib/a.js')
      },
      ['lib/a.js'],
    ],
    [
      'a file that git was told not to look at',
      root => {
        git(root, 'update-index', '--assume-unchanged', 'doc/b.md')
        write(root, { 'doc/b.md': 'other\n' })
      },
      ['doc/b.md'],
    ],
    [
      'a file with skip-worktree',
      root => {
        git(root, 'update-index', '--skip-worktree', 'doc/b.md')
        write(root, { 'doc/b.md': 'other\n' })
      },
      ['doc/b.md'],
    ],
    [
      'a symbolic link in place of a file',
      root => {
        unlinkSync(join(root, 'doc/b.md'))
        symlinkSync('../src/a.js', join(root, 'doc/b.md'))
      },
      ['doc/b.md'],
    ],
    [
      'a file that was made by plumbing alone',
      root => {
        const id = git(root, 'hash-object', '-w', 'src/a.js')
        git(root, 'update-index', '--add', '--cacheinfo', `100644,${id},doc/plumbed.md`)
      },
      ['doc/plumbed.md'],
    ],
  ]
  it.each(found)('%s', async (_, work, outside) => {
    const done = await completedAfter(place(BLOCK), work)
    expect(done).toMatchObject({ completed: false, decision: 'refused', outside })
    expect(done.session).toMatchObject({ status: 'violated', violations: [{ path: outside[0], decision: 'refused' }] })
  })

  it('nothing where only the paths of the task were changed', async () => {
    const done = await completedAfter(place(BLOCK), root => {
      write(root, { 'src/a.js': 'let a = 2\n', 'src/deep/.hidden/new.js': '' })
      git(root, 'add', '-A')
      git(root, 'commit', '-qm', 'x')
    })
    expect(done).toMatchObject({
      completed: true,
      decision: 'allowed',
      outside: [],
      changed: ['src/a.js', 'src/deep/.hidden/new.js'],
    })
    expect(done.session.status).toBe('done')
  })

  it('not what was there before the task began', async () => {
    const where = place(BLOCK)
    write(where.root, { 'doc/b.md': 'mine\n', 'notes.txt': 'mine' })
    const done = await completedAfter(where, root => write(root, { 'src/a.js': '2' }))
    expect(done).toMatchObject({ completed: true, changed: ['src/a.js'] })
    const again = await completedAfter(where, root => write(root, { 'notes.txt': 'theirs' }))
    expect(again).toMatchObject({ completed: false, outside: ['notes.txt'] })
  })

  it('the same under warn, but only records it', async () => {
    const done = await completedAfter(place(BLOCK.replace('block', 'warn')), root =>
      write(root, { 'doc/b.md': 'other\n' }),
    )
    expect(done).toMatchObject({ completed: true, decision: 'warned', outside: ['doc/b.md'] })
    expect(done.session).toMatchObject({ status: 'done', violations: [{ path: 'doc/b.md', decision: 'recorded' }] })
  })

  it('and under hitl waits for a person, whose approval holds for exactly these files', async () => {
    const where = place(BLOCK.replace('block', 'hitl'))
    const { session, approval_id, completed } = await completedAfter(where, root =>
      write(root, { 'doc/b.md': 'other\n' }),
    )
    const { id } = session
    expect(completed).toBe(false)
    await call(where, 'person', 'governance.approve', { id: approval_id })
    write(where.root, { 'doc/more.md': 'x' })
    const more = await call(where, { marker: 'CLAUDECODE' }, 'governance.task-complete', { id })
    expect(more.output).toMatchObject({ completed: false, decision: 'pending' })
    expect(more.output.approval_id).not.toBe(approval_id)
    unlinkSync(join(where.root, 'doc/more.md'))
    const done = await call(where, { marker: 'CLAUDECODE' }, 'governance.task-complete', { id })
    expect(done.output).toMatchObject({ completed: true, decision: 'allowed', approval_id })
    const view: View = { verbose: false, quiet: false, width: 80, paint: (_style, text) => text }
    expect(taskComplete.text?.(more.output as never, view)).toContain('Approval required')
    // What a person has approved is told as done, and asks nobody for anything.
    expect(taskComplete.text?.(done.output as never, view)).toMatch(/^Done: 1 file changed, 1 outside/)
    expect(taskComplete.text?.(done.output as never, view)).not.toContain('Approval required')
  })

  it('and whoever only looks in between neither uses that approval up nor asks for another', async () => {
    const where = place(BLOCK.replace('block', 'hitl'))
    const agent = { marker: 'CLAUDECODE' }
    const { session, approval_id } = await completedAfter(where, root => write(root, { 'doc/b.md': 'other\n' }))
    await call(where, 'person', 'governance.approve', { id: approval_id })
    await call(where, 'person', 'governance.anomaly-scan')
    expect((await call(where, agent, 'gate.check', { repo_path: '.' })).output).toMatchObject({ passed: true })
    expect((await call(where, agent, 'gate.check', { repo_path: '.' })).output).toMatchObject({ passed: true })
    const done = await call(where, agent, 'governance.task-complete', { id: session.id })
    expect(done.output).toMatchObject({ completed: true, approval_id })
    const { output } = await call(where, 'person', 'governance.approvals', { status: 'all' })
    expect(output.approvals).toMatchObject([{ id: approval_id, status: 'consumed' }])
  })

  it('once, however often git is asked and however many files are changed', async () => {
    const where = place(BLOCK)
    const many = Object.fromEntries(Array.from({ length: 1200 }, (_, at) => [`doc/${at}.md`, 'x']))
    const { session } = await completedAfter(where, root => write(root, many))
    expect(session.violations).toHaveLength(1000)
    const again = () => call(where, { marker: 'CLAUDECODE' }, 'governance.task-complete', { id: session.id })
    await again()
    const entries = async () => (await call(where, 'person', 'audit.list', { action: 'task.recheck' })).output.entries
    const before = (await entries()).length
    expect((await again()).output).toMatchObject({ completed: false, decision: 'refused' })
    expect((await entries()).length).toBe(before)
  })
})

describe('a task that is bound', () => {
  it('holds the commit of what lies outside, and passes what lies inside', async () => {
    const where = place(BLOCK)
    const agent = { marker: 'CURSOR_AGENT' }
    await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src/**'] })
    write(where.root, { 'src/a.js': 'let a = 2\n' })
    git(where.root, 'add', '-A')
    expect((await call(where, agent, 'hook.scan')).output).toMatchObject({ passed: true })
    write(where.root, { 'doc/b.md': 'other\n' })
    git(where.root, 'add', '-A')
    const { output } = await call(where, agent, 'hook.scan')
    expect(output.passed).toBe(false)
    expect(output.outside).toEqual([expect.stringContaining('doc/b.md is outside the paths of TS-')])
    expect((await call(where, agent, 'gate.check', { repo_path: '.' })).output).toMatchObject({ passed: false })
    // Who leaves their marker out is nobody known, and is held by every open task.
    expect((await call(where, 'nobody', 'hook.scan')).output.passed).toBe(false)
    // A person's own work is no agent's.
    expect((await call(where, 'person', 'hook.scan')).output.passed).toBe(true)
  })

  it('ends with its time, and is not revived by a clock that is set back', async () => {
    const where = place(BLOCK)
    const agent = { marker: 'CURSOR_AGENT' }
    const { output } = await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src/**'], ttl: 1 })
    await new Promise(resolve => setTimeout(resolve, 1100))
    const { output: list } = await call(where, 'person', 'governance.task-list', { all: true })
    expect(list.sessions).toMatchObject([{ id: output.session.id, status: 'expired' }])
    expect((await refused(where, agent, 'governance.task-complete', { id: output.session.id })).code).toBe('CONFLICT')
    const anHourAgo = () => Date.now() - 3_600_000
    await runWithState(where.root, { env: where.env, now: anHourAgo }, state =>
      state.read((reader, at) => {
        expect(at >= output.session.expires_at).toBe(true)
        expect(reader.get('sessions', output.session.id)!.status).toBe('expired')
      }),
    )
  })

  it('is needed for any action where the policy requires one, but not to bind it', async () => {
    const where = place(`${BLOCK}\n  require_binding: true`)
    const agent = { marker: 'CLINE_ACTIVE' }
    expect((await refused(where, agent, 'findings.suppressions')).message).toContain('no active task session')
    await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src/**'] })
    await call(where, agent, 'findings.suppressions')
  })

  it('is not left by naming one that is not open', async () => {
    const where = place(BLOCK)
    const agent = { marker: 'CLINE_ACTIVE' }
    await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src/**'] })
    const elsewhere = { ...where, env: { ...where.env, SVC_TASK_SESSION: 'TS-000000000000' } }
    const { output } = await call(elsewhere, agent, 'governance.task-scope', { paths: ['doc/b.md'] })
    expect(output.paths).toMatchObject([{ in_scope: false, reason: 'doc/b.md is outside the paths of the task' }])
  })

  it('with a credential is not for who only claims the name', async () => {
    const where = place(`${BLOCK}\n  require_binding: true`)
    const agent = await register(where, 'claude-code')
    const { output } = await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['**'] })
    expect((await refused(where, { marker: 'CLAUDECODE' }, 'findings.suppressions')).code).toBe('FORBIDDEN')
    expect(
      (await refused(where, { marker: 'CLAUDECODE' }, 'governance.task-complete', { id: output.session.id })).code,
    ).toBe('FORBIDDEN')
  })

  it('lets a fix through inside its paths, and refuses one outside, through a link, and in what is protected', async () => {
    const where = place(`${BLOCK}\nagent_defaults:\n  trust_by_agent: { builder: fix:any }`)
    const agent = await register(where, 'builder', { scopes: '*' })
    await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src/**', '.svc/**'] })
    const fix = (file_path: string) => ({ file_path, fixed_code: 'let a = 3', start_line: 1, end_line: 1 })
    await call(where, agent, 'fixes.apply', fix('src/a.js'))
    expect((await refused(where, agent, 'fixes.apply', fix('doc/b.md'))).message).toContain('outside the paths')
    symlinkSync('../doc/b.md', join(where.root, 'src/link.md'))
    expect((await refused(where, agent, 'fixes.apply', fix('src/link.md'))).message).toContain('doc/b.md is outside')
    expect((await refused(where, agent, 'fixes.apply', fix('.svc/config.yaml'))).message).toContain('admin only')
    const { output } = await call(where, 'person', 'governance.task-list')
    expect(output.sessions[0]).toMatchObject({ status: 'violated', files_touched: ['src/a.js'] })
  })
})

describe('in a repository whose names are SHA-256', () => {
  const anew = (where: Place) => {
    rmSync(join(where.root, '.git'), { recursive: true })
    git(where.root, 'init', '-q', '-b', 'main', '--object-format=sha256')
  }

  it.each(['before the first commit', 'after it'])(
    'a change is found, and what differed before is not: %s',
    async when => {
      const where = place(BLOCK, { 'src/c.js': 'let c = 3\n' })
      anew(where)
      if (when === 'after it') {
        git(where.root, 'add', '-A')
        git(where.root, 'commit', '-qm', 'first')
      }
      write(where.root, { 'doc/before.md': 'x' })
      const done = await completedAfter(where, root => write(root, { 'doc/new.md': 'x' }))
      expect(done).toMatchObject({ completed: false, outside: ['doc/new.md'] })
    },
  )
})
