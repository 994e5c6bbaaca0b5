import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sample } from '../../engine/detect/secrets/sample.ts'
import { perform, type ScanInput } from '../../engine/scan/perform.ts'
import { surface } from '../made/call.ts'
import { git } from '../made/git.ts'
import { project } from '../made/project.ts'

const LINE = `const token = "${sample('ghp_{base62:30}{crc32}', 'ledger')}"\n`

const scanned = (root: string, more: Partial<ScanInput> = {}) =>
  perform({ repo_path: '.', ...more }, surface(root).context)

describe('what a change has besides files is counted', () => {
  const withOthers = () => {
    const root = project({ 'a.txt': 'x\n' })
    const inner = project({ 'b.txt': LINE })
    symlinkSync('/etc', join(root, 'out-link'))
    symlinkSync('../elsewhere', join(root, 'up-link'))
    symlinkSync('missing', join(root, 'dead-link'))
    symlinkSync('a.txt', join(root, 'good-link'))
    execFileSync('git', ['-c', 'protocol.file.allow=always', 'clone', '-q', inner, join(root, 'lib')], {
      stdio: 'pipe',
    })
    return root
  }
  const expected = [
    ['dead-link', 'symlink', 'is broken'],
    ['lib/', 'submodule_changed', expect.stringMatching(/^added at commit [0-9a-f]{12}$/)],
    ['out-link', 'symlink', 'points outside the repository'],
    ['up-link', 'symlink', 'points outside the repository'],
  ]
  const listed = async (root: string, more: Partial<ScanInput>) =>
    (await scanned(root, more)).run.skipped.map(({ path, reason, detail }) => [path, reason, detail])

  test('links and submodules, staged and in a range', async () => {
    const root = withOthers()
    git(root, 'add', '-A')
    expect(await listed(root, { staged: true })).toEqual(expected)
    git(root, 'commit', '-qm', 'second')
    expect(await listed(root, { git_range: 'HEAD~1..HEAD' })).toEqual(expected)
    git(root, 'mv', 'lib', 'moved')
    expect(await listed(root, { staged: true })).toEqual([
      ['moved/', 'submodule_changed', expect.stringMatching(/^moved, at commit [0-9a-f]{12}$/)],
    ])
  })

  test('nested repositories and links of the working tree against a branch', async () => {
    const root = withOthers()
    const reasons = (await listed(root, { branch: 'HEAD' })).map(([path, reason]) => [path, reason])
    expect(reasons).toContainEqual(['lib/', 'nested_repository'])
  })

  test('a submodule that is updated, with both commits', async () => {
    const root = withOthers()
    git(root, 'add', '-A')
    git(root, 'commit', '-qm', 'second')
    git(join(root, 'lib'), 'commit', '-q', '--allow-empty', '-m', 'more')
    git(root, 'add', 'lib')
    expect(await listed(root, { staged: true })).toEqual([
      ['lib/', 'submodule_changed', expect.stringMatching(/^now at commit [0-9a-f]{12}, before at [0-9a-f]{12}$/)],
    ])
  })
})
