import { describe, expect, it } from 'vitest'
import { sample } from '../../engine/detect/secrets/sample.ts'
import secrets from '../../engine/ops/secrets/scan.ts'
import { surface } from '../made/call.ts'
import { write } from '../made/folder.ts'
import { git } from '../made/git.ts'
import { project } from '../made/project.ts'

const TOKEN = sample('ghp_{base62:30}{crc32}', 'history shapes')
const LINE = `token = "${TOKEN}"\n`
const INPUT = {
  repo_path: '.',
  staged: false,
  history: true,
  stdin: false,
  baseline: false,
  verify: false,
  explain: false,
}

const head = (root: string) => git(root, 'rev-parse', 'HEAD').toString().trim()

/** Writes the files and commits everything. */
function commit(root: string, message: string, files: Record<string, string>): void {
  write(root, files)
  git(root, 'add', '-A')
  git(root, 'commit', '-qm', message)
}

/** Where the history holds the token, and whether it is still there. */
async function inHistory(root: string) {
  const { secrets: list } = await secrets.run(INPUT, surface(root).context)
  return list.map(({ at_head, places }) => ({ at_head, places: places.map(({ file, commit }) => ({ file, commit })) }))
}

describe('the history of a secret', () => {
  it('begins where it was brought, whatever its file is called afterwards', async () => {
    const root = project({ 'a.py': LINE })
    const brought = head(root)
    git(root, 'mv', 'a.py', 'b.py')
    git(root, 'commit', '-qm', 'rename')
    expect(await inHistory(root)).toEqual([{ at_head: true, places: [{ file: 'a.py', commit: brought }] }])
  })

  it('names the commit of the branch that brought it, not the merge', async () => {
    const root = project({ 'a.py': 'x = 1\n' })
    git(root, 'checkout', '-qb', 'side')
    commit(root, 'side', { 'b.py': LINE })
    const brought = head(root)
    git(root, 'checkout', '-q', '-')
    commit(root, 'main', { 'a.py': 'x = 2\n' })
    git(root, 'merge', '-q', '--no-ff', '-m', 'merge', 'side')
    expect(await inHistory(root)).toEqual([{ at_head: true, places: [{ file: 'b.py', commit: brought }] }])
  })

  it('holds what a merge itself brought, which neither parent has', async () => {
    const root = project({ 'a.py': 'x = 1\n' })
    git(root, 'checkout', '-qb', 'side')
    commit(root, 'side', { 'b.py': 'y = 1\n' })
    git(root, 'checkout', '-q', '-')
    commit(root, 'main', { 'c.py': 'z = 1\n' })
    git(root, 'merge', '-q', '--no-ff', '--no-commit', 'side')
    commit(root, 'merge', { 'b.py': `y = 1\n${LINE}` })
    expect(await inHistory(root)).toEqual([{ at_head: true, places: [{ file: 'b.py', commit: head(root) }] }])
  })

  it('holds what only a tag still leads to', async () => {
    const root = project({ 'a.py': 'x = 1\n' })
    git(root, 'checkout', '-qb', 'side')
    commit(root, 'side', { 'b.py': LINE })
    const brought = head(root)
    git(root, 'tag', 'v1')
    git(root, 'checkout', '-q', '-')
    git(root, 'branch', '-qD', 'side')
    expect(await inHistory(root)).toEqual([{ at_head: false, places: [{ file: 'b.py', commit: brought }] }])
  })

  it('looks once at a content that comes back after it was taken out', async () => {
    const root = project({ 'a.py': LINE })
    const brought = head(root)
    commit(root, 'out', { 'a.py': 'x = 1\n' })
    commit(root, 'in again', { 'a.py': LINE })
    expect(await inHistory(root)).toEqual([{ at_head: true, places: [{ file: 'a.py', commit: brought }] }])
  })
})
