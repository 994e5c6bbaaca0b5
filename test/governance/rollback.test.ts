import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { git, write } from '../repository/ground.ts'
import { call, type Place, place, refused } from './governed.ts'

const ON = 'rollback: { enabled: true }\ntask_binding: { enabled: true }'
const agent = { marker: 'CURSOR_AGENT' }

async function bound(where: Place, path = ['src/**']): Promise<string> {
  return (await call(where, agent, 'governance.task-bind', { intent: 'x', path })).output.session.id
}

/** Everything below a folder but what git and the records keep: kind, mode and bytes. */
function tree(root: string, at = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(join(root, at))) {
    const path = at === '' ? name : `${at}/${name}`
    if (path === '.git' || path === '.svc/local') continue
    const stat = lstatSync(join(root, path))
    if (stat.isDirectory()) Object.assign(found, { [`${path}/`]: 'folder' }, tree(root, path))
    else if (stat.isSymbolicLink()) found[path] = `link ${readlinkSync(join(root, path))}`
    else found[path] = `${(stat.mode & 0o777).toString(8)} ${readFileSync(join(root, path)).toString('hex')}`
  }
  return found
}

/** All that a person could miss: files, index, branches, what is stashed. */
function everything(root: string) {
  return {
    tree: tree(root),
    index: readFileSync(join(root, '.git/index')).toString('hex'),
    head: readFileSync(join(root, '.git/HEAD'), 'utf8'),
    heads: git(root, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/stash', 'refs/tags'),
    stash: git(root, 'stash', 'list', '--format=%H'),
  }
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
      'left the commit',
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

  it('cannot be undone over what was done since', async () => {
    const where = place(ON)
    const id = await bound(where)
    write(where.root, { 'src/a.js': '2' })
    await call(where, agent, 'governance.task-rollback', { id })
    write(where.root, { 'src/a.js': 'mine' })
    expect((await refused(where, 'person', 'governance.task-rollback', { id, undo: true })).message).toContain(
      'src/a.js changed',
    )
    expect(readFileSync(join(where.root, 'src/a.js'), 'utf8')).toBe('mine')
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
    expect(output.notes.join('\n')).toMatch(/src\/lib\/? is a repository of its own[\s\S]*git ignores stay/)
    expect(tree(where.root)).toMatchObject({ 'src/x.log': expect.any(String), 'src/lib/f': expect.any(String) })
  })
})

const NAMES = [
  'src/a.js',
  'src/b c.js',
  'src/d/e.js',
  'src/d',
  'src/ü.js',
  'src/"q".js',
  'src/\\x41.js',
  'src/n\nl.js',
] as const
type Step = { what: string; name: string; other: string; text: string }
const aStep: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(
    'write',
    'write',
    'delete',
    'link',
    'mode',
    'add',
    'commit',
    'stash',
    'move',
    'hide',
    'intent',
    'folder',
  ),
  name: fc.constantFrom(...NAMES),
  other: fc.constantFrom(...NAMES),
  text: fc.constantFrom('', 'one\n', 'two\r\n', 'ü\n', '\0binary'),
})

function perform(root: string, { what, name, other, text }: Step): void {
  const path = join(root, name)
  const quietly = (work: () => void) => {
    try {
      work()
    } catch {
      // A step that does not fit the state it meets is left out.
    }
  }
  quietly(() => {
    if (what === 'write' || what === 'link') {
      mkdirSync(dirname(path), { recursive: true })
      rmSync(path, { recursive: true, force: true })
      if (what === 'write') writeFileSync(path, text)
      else symlinkSync(other, path)
    }
    if (what === 'delete') rmSync(path, { recursive: true })
    if (what === 'mode') chmodSync(path, 0o755)
    if (what === 'add') git(root, 'add', '-A', '--', 'src')
    if (what === 'commit') git(root, 'commit', '-qm', 'x')
    if (what === 'stash') git(root, 'stash', 'push', '-q', '-u', '--', 'src')
    if (what === 'move') renameSync(path, join(root, other))
    if (what === 'hide') git(root, 'update-index', '--assume-unchanged', name)
    if (what === 'intent') git(root, 'add', '-N', '--', name)
    if (what === 'folder') mkdirSync(join(root, 'src/empty/deep'), { recursive: true })
  })
}

describe('on generated dirty repositories', () => {
  const runs = Number(process.env.SVC_ROLLBACKS ?? 25)
  it('what was there before is there after undo, byte for byte', { timeout: 20_000 + runs * 5000 }, async () => {
    let done = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(aStep, { maxLength: 5 }),
        fc.array(aStep, { minLength: 1, maxLength: 12 }),
        async (first, then) => {
          const where = place(ON, { 'src/d/e.js': 'e\n', 'src/b c.js': 'b\n' })
          for (const step of first) perform(where.root, step)
          const start = git(where.root, 'rev-parse', 'HEAD')
          const id = await bound(where)
          for (const step of then) perform(where.root, step)
          const before = everything(where.root)
          const { output } = await call(where, 'person', 'governance.task-rollback', { id, force: true })
          expect(output.outcome).toBe('rolled_back')
          expect(git(where.root, 'rev-parse', 'HEAD')).toBe(start)
          const { output: undone } = await call(where, 'person', 'governance.task-rollback', { id, undo: true })
          expect(undone.outcome).toBe('undone')
          expect(everything(where.root)).toEqual(before)
          rmSync(dirname(where.root), { recursive: true, force: true })
          done++
        },
      ),
      { numRuns: runs },
    )
    expect(done).toBeGreaterThanOrEqual(runs)
  })
})
