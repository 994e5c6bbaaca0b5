import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git } from '../made/git.ts'
import fc from '../made/property.ts'
import { call, type Place, place } from './governed.ts'
import { everything } from './whole-tree.ts'

const ON = 'rollback: { enabled: true }\ntask_binding: { enabled: true }'

const agent = { marker: 'CURSOR_AGENT' }

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

/** A place that is as another one was. */
function copied({ root }: Place): Place {
  const own = realpathSync(mkdtempSync(join(tmpdir(), 'svc-governed-')))
  cpSync(root, join(own, 'repo'), { recursive: true, verbatimSymlinks: true })
  return { root: join(own, 'repo'), env: { XDG_STATE_HOME: join(own, 'state'), HOME: own } }
}

describe('on generated dirty repositories', () => {
  // SVC_ROLLBACKS says how many (npm run governance:rollbacks runs 500). Each starts about eighty processes of git.
  const runs = Number(process.env.SVC_ROLLBACKS ?? 12)
  const limit = 60_000 + runs * 20_000
  it('what was there before is there after undo, byte for byte', { timeout: limit + 60_000 }, async () => {
    let done = 0
    // The same first commit for each of them: made once, and copied.
    const model = place(ON, { 'src/d/e.js': 'e\n', 'src/b c.js': 'b\n' })
    rmSync(join(model.root, '.git/hooks'), { recursive: true })
    await fc.assert(
      fc.asyncProperty(
        fc.array(aStep, { maxLength: 5 }),
        fc.array(aStep, { minLength: 1, maxLength: 12 }),
        async (first, then) => {
          const where = copied(model)
          for (const step of first) perform(where.root, step)
          const branch = () => readFileSync(join(where.root, '.git/refs/heads/main'), 'utf8')
          const start = branch()
          const id = (await call(where, agent, 'governance.task-bind', { intent: 'x', path: ['src/**'] })).output
            .session.id
          for (const step of then) perform(where.root, step)
          const before = everything(where.root)
          const { output } = await call(where, 'person', 'governance.task-rollback', { id, force: true })
          expect(output.outcome).toBe('rolled_back')
          expect(branch()).toBe(start)
          const { output: undone } = await call(where, 'person', 'governance.task-rollback', { id, undo: true })
          expect(undone.outcome).toBe('undone')
          expect(everything(where.root)).toEqual(before)
          rmSync(dirname(where.root), { recursive: true, force: true })
          done++
        },
      ),
      { numRuns: runs, interruptAfterTimeLimit: limit },
    )
    expect(done).toBeGreaterThanOrEqual(runs)
  })
})
