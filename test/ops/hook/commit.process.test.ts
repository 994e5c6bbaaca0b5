import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { write } from '../../made/folder.ts'
import { git } from '../../made/git.ts'
import { project } from '../../made/project.ts'
import { ROOT } from '../../root.ts'
import { RULES, read } from './staging.ts'

// The whole of it, as a person meets it: the built program, its hook, and git.
const PROGRAM = join(ROOT, 'dist/svc.js')

beforeAll(() => expect(existsSync(PROGRAM), 'dist/svc.js is there: run npm run build').toBe(true))

function run(root: string, program: string, ...args: string[]): { status: number | null; said: string } {
  const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: root, GIT_CONFIG_NOSYSTEM: '1' }
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, env, encoding: 'utf8' })
  return { status, said: stdout + stderr }
}
const svc = (root: string, ...args: string[]) => run(root, PROGRAM, ...args)
const commit = (root: string, ...args: string[]) =>
  run(root, 'git', '-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-m', 'work', ...args)

function hooked(files: Record<string, string>): string {
  const root = project({ ...RULES, ...files })
  expect(svc(root, 'hook', 'install').status).toBe(0)
  return root
}

describe('a commit in a repository with the hook', () => {
  it('is blocked with the way out, passes when the way is gone, and nothing is said of a clean one', () => {
    const root = hooked({ 'a.txt': 'one\n' })
    write(root, { 'a.txt': 'one\nbad\n' })
    git(root, 'add', 'a.txt')
    const held = commit(root)
    expect([held.status, held.said]).toEqual([1, expect.stringContaining('Commit blocked')])
    expect(held.said).toContain('svc fix-hook applies the fix')
    expect(git(root, 'log', '--oneline').split('\n')).toHaveLength(1)
    expect(svc(root, 'fix-hook')).toEqual({ status: 0, said: expect.stringContaining('Fixed 1 finding') })
    const passed = commit(root, '-q')
    expect(passed).toEqual({ status: 0, said: '' })
    expect([git(root, 'show', 'HEAD:a.txt'), git(root, 'status', '--porcelain')]).toEqual(['one\ngood', ''])
  })

  it.each([
    ['of everything with -a', ['-a']],
    ['of single paths', ['a.txt']],
    ['of single paths beside what is staged', ['-i', 'a.txt']],
    ['that amends the last one', ['-a', '--amend']],
  ])('%s is judged by its own index', (_, args) => {
    const root = hooked({ 'a.txt': 'one\n', 'b.txt': 'one\n' })
    write(root, { 'a.txt': 'bad\n', 'b.txt': 'two\n' })
    git(root, 'add', 'b.txt')
    expect(commit(root, ...args).status).toBe(1)
    expect(git(root, 'diff', '--cached', '--name-only')).toBe('b.txt')
    write(root, { 'a.txt': 'fine\n' })
    expect(commit(root, '-q', ...args)).toEqual({ status: 0, said: '' })
  })

  it('of other paths is not held by what is staged beside them', () => {
    const root = hooked({ 'a.txt': 'one\n', 'b.txt': 'one\n' })
    write(root, { 'a.txt': 'bad\n', 'b.txt': 'two\n' })
    git(root, 'add', 'a.txt')
    expect(commit(root, '-q', 'b.txt')).toEqual({ status: 0, said: '' })
  })

  it('may be mended by the hook itself: what is committed is fixed, and the working tree with it', () => {
    const root = hooked({ 'a.txt': 'one\n' })
    const hook = join(root, '.git/hooks/pre-commit')
    writeFileSync(hook, `#!/bin/sh\n"${PROGRAM}" pre-commit-scan >/dev/null || "${PROGRAM}" fix-hook\n`)
    chmodSync(hook, 0o755)
    write(root, { 'a.txt': 'bad\n' })
    expect(commit(root, '-q', '-a').status).toBe(0)
    expect([git(root, 'show', 'HEAD:a.txt'), read(root, 'a.txt')]).toEqual(['good', 'good\n'])
    expect(git(root, 'status', '--porcelain')).toBe('')
    write(root, { 'a.txt': 'bad again\n' })
    const held = commit(root, '-q', 'a.txt')
    expect([held.status, held.said.includes('A commit of single paths is in the making')]).toEqual([1, true])
  })

  it('is held where the configuration that is staged cannot be read, with the line at fault', () => {
    const root = hooked({ 'a.txt': 'one\n' })
    write(root, { '.svc/config.yaml': 'gate:\n  fail_onn: [high]\n', 'a.txt': 'two\n' })
    git(root, 'add', 'a.txt', '.svc/config.yaml')
    const { status, said } = commit(root)
    expect([status, said]).toEqual([1, expect.stringContaining('fail_onn')])
    expect(readFileSync(join(root, '.git/hooks/pre-commit'), 'utf8')).toContain('pre-commit-scan')
  })
})
