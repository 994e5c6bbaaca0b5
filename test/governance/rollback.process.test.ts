import { mkdirSync, readFileSync, renameSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { write } from '../made/folder.ts'
import { git } from '../made/git.ts'
import { call, type Place, place, refused } from './governed.ts'
import { everything, tree } from './whole-tree.ts'

const ON = 'rollback: { enabled: true }\ntask_binding: { enabled: true }'
const agent = { marker: 'CURSOR_AGENT' }

async function bound(where: Place, path = ['src/**']): Promise<string> {
  return (await call(where, agent, 'governance.task-bind', { intent: 'x', path })).output.session.id
}

describe('rolling back', () => {
  it('puts files, index and branch back to where the task began, and undoing it brings all of it back', async () => {
    const where = place(ON)
    const { root } = where
    const start = git(root, 'rev-parse', 'HEAD')
    const id = await bound(where)
    write(root, { 'src/a.js': 'let a = 2\n', 'src/new.js': 'n\n' })
    git(root, 'add', '-A')
    git(root, 'commit', '-qm', 'one')
    write(root, { 'src/a.js': 'let a = 3\n', 'src/deep/untracked.js': 'u\n' })
    const before = everything(root)
    const { output } = await call(where, agent, 'governance.task-rollback', { id })
    expect(output).toMatchObject({ outcome: 'rolled_back', to: start, session: { status: 'rolled_back' } })
    expect(output.commits).toMatchObject([{ subject: 'one', own: true }])
    expect(git(root, 'rev-parse', 'HEAD')).toBe(start)
    expect(git(root, 'status', '--porcelain')).toBe('')
    const { output: undone } = await call(where, agent, 'governance.task-rollback', { id, undo: true })
    expect(undone).toMatchObject({ outcome: 'undone', session: { status: 'active' } })
    expect(everything(root)).toEqual(before)
  })

  it('only shows it with dry_run, and by default where the policy says so', async () => {
    const where = place('rollback: { enabled: true, dry_run_by_default: true }')
    const id = await bound(where)
    write(where.root, { 'src/a.js': '2', 'src/b.js': '3' })
    const before = everything(where.root)
    const { output } = await call(where, agent, 'governance.task-rollback', { id })
    expect(output).toMatchObject({
      outcome: 'planned',
      files: [
        { path: 'src/a.js', does: 'restore' },
        { path: 'src/b.js', does: 'remove' },
      ],
    })
    expect(everything(where.root)).toEqual(before)
    expect((await call(where, agent, 'governance.task-rollback', { id, apply: true })).output.outcome).toBe(
      'rolled_back',
    )
  })

  it('leaves alone what was there, uncommitted, before the task began', async () => {
    const where = place(ON)
    write(where.root, { 'doc/b.md': 'mine\n', 'notes.txt': 'mine\n' })
    const id = await bound(where)
    write(where.root, { 'src/a.js': '2' })
    await call(where, agent, 'governance.task-rollback', { id })
    expect(readFileSync(join(where.root, 'doc/b.md'), 'utf8')).toBe('mine\n')
    expect(readFileSync(join(where.root, 'notes.txt'), 'utf8')).toBe('mine\n')
    expect(readFileSync(join(where.root, 'src/a.js'), 'utf8')).toBe('let a = 1\n')
  })

  it('leaves alone a folder that stood, before the task, where the commit has a file', async () => {
    const where = place(ON)
    renameSync(join(where.root, 'src/a.js'), join(where.root, 'src/b.js'))
    write(where.root, { 'src/a.js/inner.js': 'mine\n' })
    const id = await bound(where)
    write(where.root, { 'src/new.js': 'x' })
    const { output } = await call(where, agent, 'governance.task-rollback', { id })
    expect(output.files).toEqual([{ path: 'src/new.js', does: 'remove' }])
    expect(tree(where.root)).toMatchObject({ 'src/b.js': expect.any(String), 'src/a.js/inner.js': expect.any(String) })
  })

  it('puts back a file that was uncommitted before the task where folders without a file stand now', async () => {
    const where = place(ON)
    write(where.root, { 'src/d': 'mine\n' })
    const id = await bound(where)
    git(where.root, 'stash', 'push', '-q', '-u', '--', 'src')
    mkdirSync(join(where.root, 'src/d/deep/er'), { recursive: true })
    mkdirSync(join(where.root, 'src/d/wide'))
    const before = everything(where.root)
    await call(where, 'person', 'governance.task-rollback', { id, force: true })
    expect(readFileSync(join(where.root, 'src/d'), 'utf8')).toBe('mine\n')
    await call(where, 'person', 'governance.task-rollback', { id, undo: true })
    expect(everything(where.root)).toEqual(before)
  })

  const lossy: [string, (root: string) => void, string][] = [
    ['a change outside the paths', root => write(root, { 'doc/b.md': 'x' }), 'doc/b.md is outside'],
    [
      'a commit of somebody else',
      root => {
        write(root, { 'doc/b.md': 'x' })
        git(root, 'commit', '-qam', 'theirs')
      },
      'theirs',
    ],
    ['another branch', root => void git(root, 'checkout', '-qb', 'other'), 'other is checked out'],
    [
      'a commit that is on a remote',
      root => {
        write(root, { 'src/a.js': 'x' })
        git(root, 'commit', '-qam', 'pushed')
        git(root, 'update-ref', 'refs/remotes/origin/main', 'HEAD')
      },
      'on a remote',
    ],
    [
      'an amended beginning',
      root => {
        write(root, { 'src/a.js': 'x' })
        git(root, 'commit', '-qa', '--amend', '-m', 'other')
      },
      'no longer contains the commit',
    ],
  ]
  it.each(lossy)('is refused where it would lose %s, and a person can force it', async (_, work, why) => {
    const where = place(ON)
    const id = await bound(where)
    work(where.root)
    const before = everything(where.root)
    const error = await refused(where, 'person', 'governance.task-rollback', { id })
    expect(error.code).toBe('CONFLICT')
    expect(error.message).toContain(why)
    expect((await refused(where, agent, 'governance.task-rollback', { id, force: true })).code).toBe('FORBIDDEN')
    expect(everything(where.root)).toEqual(before)
    const { output } = await call(where, 'person', 'governance.task-rollback', { id, force: true })
    expect(output.outcome).toBe('rolled_back')
    await call(where, 'person', 'governance.task-rollback', { id, undo: true })
    expect(everything(where.root)).toEqual(before)
  })

  it('of a violated session waits for a person, whose approval is for that plan alone', async () => {
    const where = place(
      ON.replace('task_binding: { enabled: true', 'task_binding: { enabled: true, enforcement: block'),
    )
    const id = await bound(where)
    write(where.root, { 'src/a.js': '2', 'doc/b.md': 'x' })
    await call(where, agent, 'governance.task-complete', { id })
    const { output } = await call(where, agent, 'governance.task-rollback', { id })
    expect(output).toMatchObject({ outcome: 'pending', session: { status: 'violated' } })
    expect(readFileSync(join(where.root, 'src/a.js'), 'utf8')).toBe('2')
    await call(where, 'person', 'governance.approve', { id: output.approval_id })
    write(where.root, { 'src/more.js': 'x' })
    const other = await call(where, agent, 'governance.task-rollback', { id })
    expect(other.output.approval_id).not.toBe(output.approval_id)
    unlinkSync(join(where.root, 'src/more.js'))
    expect((await call(where, agent, 'governance.task-rollback', { id })).output.outcome).toBe('rolled_back')
    expect(git(where.root, 'status', '--porcelain')).toBe('')
  })

  it('is refused to another agent, in the middle of a merge, and where it is switched off', async () => {
    const where = place(ON)
    const id = await bound(where)
    expect((await refused(where, { marker: 'CLAUDECODE' }, 'governance.task-rollback', { id })).code).toBe('FORBIDDEN')
    write(where.root, { '.git/MERGE_HEAD': git(where.root, 'rev-parse', 'HEAD') })
    expect((await refused(where, agent, 'governance.task-rollback', { id })).message).toContain('merge is going on')
    const off = place()
    const other = await bound(off)
    expect((await refused(off, agent, 'governance.task-rollback', { id: other })).message).toContain('not switched on')
  })

  it('says of ignored files and of submodules that they stay', async () => {
    const where = place(ON, { '.gitignore': '*.log\n' })
    const id = await bound(where)
    write(where.root, { 'src/x.log': 'log', 'src/a.js': '2' })
    mkdirSync(join(where.root, 'src/lib'))
    git(join(where.root, 'src/lib'), 'init', '-q')
    write(where.root, { 'src/lib/f': 'x' })
    git(join(where.root, 'src/lib'), 'add', '-A')
    git(join(where.root, 'src/lib'), 'commit', '-qm', 'x')
    const { output } = await call(where, agent, 'governance.task-rollback', { id })
    expect(output.notes.join('\n')).toMatch(/src\/lib\/? is a nested repository[\s\S]*git-ignored files/)
    expect(tree(where.root)).toMatchObject({ 'src/x.log': expect.any(String), 'src/lib/f': expect.any(String) })
  })
})
