import { execFileSync } from 'node:child_process'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { listHistoricBlobs } from '../../engine/secrets/history.ts'
import { write } from '../made/folder.ts'
import { project } from '../made/project.ts'

const signal = new AbortController().signal
const git = (root: string, ...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' })
/** What git is given so that it commits on any machine. */
const NAMED = ['-c', 'user.name=a', '-c', 'user.email=a@localhost']

afterEach(() => vi.unstubAllEnvs())

describe('the history', () => {
  it('has the blob of a file whose name looks like something that git says', async () => {
    const names = ['a\x01b', ':100644 100644 1111111 2222222 A', 'c\x02d', 'e.txt']
    const root = project(Object.fromEntries(names.map((name, n) => [name, `content ${n}\n`])))
    const { blobs, commits } = await listHistoricBlobs(root, { signal })
    expect(commits).toBe(1)
    expect(blobs.map(({ path }) => path).sort()).toEqual([...names].sort())
  })

  it('tells sha, author and date of the commit, however the author writes the name', async () => {
    const root = project({ 'a.txt': 'x\n' })
    write(root, { 'b.txt': 'y\n' })
    git(root, 'add', '-A')
    const identity = ['-c', 'user.name=A\x02B', '-c', 'user.email=a@localhost']
    git(root, ...identity, 'commit', '-qm', 'second', '--date=2025-01-31T10:00:00+00:00')
    const { blobs } = await listHistoricBlobs(root, { signal })
    expect(blobs.at(-1)).toMatchObject({
      path: 'b.txt',
      commit: {
        sha: expect.stringMatching(/^[0-9a-f]{40}$/),
        author: 'A\x02B <a@localhost>',
        date: '2025-01-31T10:00:00+00:00',
      },
    })
  })

  it('counts commits that only remove and empty ones, too', async () => {
    const root = project({ 'a.txt': 'x\n' })
    git(root, 'rm', '-q', 'a.txt')
    git(root, ...NAMED, 'commit', '-qm', 'removed')
    git(root, ...NAMED, 'commit', '-qm', 'empty', '--allow-empty')
    expect((await listHistoricBlobs(root, { signal })).commits).toBe(3)
  })

  it('of nothing but an empty commit is read, and holds nothing', async () => {
    const root = project({ 'a.txt': 'x\n' })
    git(root, 'update-ref', '-d', 'HEAD')
    git(root, 'rm', '-q', '--cached', 'a.txt')
    git(root, ...NAMED, 'commit', '-qm', 'empty', '--allow-empty')
    expect(await listHistoricBlobs(root, { signal })).toEqual({ blobs: [], commits: 1, shallow: false })
  })

  it('cannot be read without git, which is said', async () => {
    const root = project({ 'a.txt': 'x\n' })
    vi.stubEnv('PATH', '/nowhere')
    await expect(listHistoricBlobs(root, { signal })).rejects.toMatchObject({ code: 'TOOL_MISSING' })
  })
})
