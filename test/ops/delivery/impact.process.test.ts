import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import impact from '../../../engine/ops/delivery/impact.ts'
import reconcile from '../../../engine/ops/delivery/reconcile.ts'
import { context, refusal } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'
import { project } from '../../made/project.ts'

const FILES = {
  'requirements.yaml': 'requirements:\n- id: REQ-1\n  title: Users log in\n  controls: ["soc2:CC6.1"]\n',
  'src/login.ts':
    "import { find } from './users'\n// @req REQ-1\nexport function login(name: string) {\n  return find(name)\n}\n",
  'src/users.ts': 'export function find(name: string) {\n  return name\n}\nexport function other() {}\n',
  'test/login.test.ts': "import { login } from '../src/login'\nit('x', () => login('a'))\n",
}
const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root, stdio: 'pipe' })
/** A repository in which one function is changed and staged. */
function changed(): string {
  const root = project(FILES)
  writeFileSync(join(root, 'src/users.ts'), FILES['src/users.ts'].replace('return name', 'return name.trim()'))
  git(root, 'add', '-A')
  return root
}
const withCache = (root: string, cache = folder()) => context(root, { env: { XDG_CACHE_HOME: cache, HOME: cache } })
const input = { git_range: '', staged: false }

describe('svc impact', () => {
  it('follows a staged change to the requirement, its control and the tests by imports', async () => {
    const answer = await impact.run(input, withCache(changed()))
    expect(answer.files).toMatchObject([
      { file: 'src/users.ts', symbols: ['find'], requirements: ['REQ-1'], dependents: 2 },
    ])
    expect(answer.requirements).toMatchObject([{ id: 'REQ-1', via: 'import' }])
    expect(answer.tests).toEqual(['test/login.test.ts'])
    expect(answer.frameworks).toEqual([{ framework: 'soc2-tsc-2017', controls: ['CC6.1'] }])
    expect(answer.not_evaluated).toHaveLength(1)
  })

  it('answers the same from what it kept of unchanged files', async () => {
    const [root, cache] = [changed(), folder()]
    const cold = await impact.run(input, withCache(root, cache))
    expect(existsSync(join(cache, 'svc/code-maps'))).toBe(true)
    expect(await impact.run(input, withCache(root, cache))).toEqual(cold)
  })

  it('reads files anew that changed since, and those whose import was missing where a file is added', async () => {
    const [root, cache] = [changed(), folder()]
    writeFileSync(join(root, 'src/late.ts'), "import { x } from './new'\n// @req REQ-1\nexport const y = x\n")
    git(root, 'add', '-A')
    git(root, 'commit', '-qm', 'late')
    await impact.run(input, withCache(root, cache))
    writeFileSync(join(root, 'src/new.ts'), 'export const x = 1\n')
    git(root, 'add', '-A')
    const warm = await impact.run(input, withCache(root, cache))
    expect(warm.files).toMatchObject([{ file: 'src/new.ts', change: 'added', importers: 1, requirements: ['REQ-1'] }])
    expect(warm).toEqual(await impact.run(input, withCache(root)))
  })

  it('reads a range of commits, and files that are named', async () => {
    const root = changed()
    git(root, 'commit', '-qm', 'trim')
    const range = await impact.run({ ...input, git_range: 'HEAD~1..HEAD' }, withCache(root))
    expect(range.files).toMatchObject([{ file: 'src/users.ts', symbols: ['find'] }])
    const named = await impact.run({ ...input, files: ['src/login.ts'] }, withCache(root))
    expect(named.files).toMatchObject([{ file: 'src/login.ts', change: 'named', requirements: ['REQ-1'] }])
  })

  it('says that a deleted file is still imported', async () => {
    const [root, cache] = [project(FILES), folder()]
    await impact.run(input, withCache(root, cache))
    rmSync(join(root, 'src/users.ts'))
    git(root, 'add', '-A')
    expect((await impact.run(input, withCache(root, cache))).files).toMatchObject([{ change: 'deleted', risk: 'high' }])
  })

  it('renders Markdown that no name can break out of', async () => {
    const root = project({ 'requirements.yaml': 'requirements: []\n' })
    writeFileSync(join(root, 'a|b`@me.ts'), 'export const a = 1\n')
    git(root, 'add', '-A')
    const { content } = await impact.run({ ...input, format: 'markdown' }, withCache(root))
    expect(content).toContain("| `a\\|b'@me.ts` |")
  })

  it('refuses two kinds of changes at once, and files outside of the repository', async () => {
    const root = project(FILES)
    expect((await refusal(() => impact.run({ ...input, staged: true, files: ['a'] }, withCache(root)))).code).toBe(
      'USAGE',
    )
    expect((await refusal(() => impact.run({ ...input, files: ['../x'] }, withCache(root)))).code).toBe('PATH_ESCAPES')
  })
})

describe('svc reconcile', () => {
  const PLAIN = { dry_run: true, staged: false, create: false, yes: false }
  const ITEMS =
    'work_items:\n- {key: PROJ-1, title: Log in, state: open}\n- {key: PROJ-2, title: Log out, state: open}\n'

  it('names commits without an item and items without a commit, and writes them', async () => {
    const root = project({ ...FILES, 'work-items.yaml': ITEMS })
    git(root, 'commit', '-q', '--allow-empty', '-m', 'PROJ-1: log in')
    const answer = await reconcile.run({ ...PLAIN, dry_run: false }, context(root))
    expect(answer.items_without_commit).toMatchObject([{ key: 'PROJ-2' }])
    expect(answer.commits_without_item).toHaveLength(1)
    expect(answer.linked).toMatchObject([{ items: ['PROJ-1'] }])
    expect(answer.not_evaluated).toHaveLength(1)
    const written = JSON.parse(readFileSync(join(root, answer.written!), 'utf8')) as { items: number }
    expect(written.items).toBe(2)
  })

  it('writes nothing in a dry run', async () => {
    const root = project({ ...FILES, 'items.json': '{"work_items": []}' })
    await reconcile.run({ ...PLAIN, work_items: 'items.json' }, context(root))
    expect(existsSync(join(root, 'out'))).toBe(false)
  })

  it('refuses a file with a wrong key by its line, and one that is not there', async () => {
    const root = project({ 'items.yaml': 'work_items:\n- key: A-1\n  titel: x\n  state: open\n' })
    const wrong = await refusal(() => reconcile.run({ ...PLAIN, work_items: 'items.yaml' }, context(root)))
    expect(wrong.code).toBe('CONFIG_INVALID')
    expect(wrong.faults.some(({ place }) => place?.line === 3)).toBe(true)
    expect((await refusal(() => reconcile.run(PLAIN, context(root)))).code).toBe('NOT_FOUND')
  })
})
