import { execFileSync } from 'node:child_process'
import { rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRecord } from '../../../engine/hook/record.ts'
import fix from '../../../engine/ops/hook/fix.ts'
import { refusal, surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { git } from '../../made/git.ts'
import { project } from '../../made/project.ts'
import { RULES, read, run, scan, staged } from './staging.ts'

describe('what fix-hook does not fix', () => {
  it('refuses what is no longer staged as it was scanned, and changes nothing there', async () => {
    const root = project({ ...RULES, 'conflict.txt': 'x\n' })
    git(root, 'config', 'user.name', 't')
    git(root, 'config', 'user.email', 't@localhost')
    write(
      root,
      Object.fromEntries(
        ['restaged', 'unstaged', 'intent', 'link', 'hidden', 'conflict'].map(name => [`${name}.txt`, 'bad\n']),
      ),
    )
    git(root, 'add', '-A')
    await scan(root)
    write(root, { 'restaged.txt': 'bad bad\n' })
    git(root, 'add', 'restaged.txt')
    git(root, 'rm', '-q', '--cached', 'unstaged.txt', 'intent.txt')
    git(root, 'add', '-N', 'intent.txt')
    rmSync(join(root, 'link.txt'))
    symlinkSync('restaged.txt', join(root, 'link.txt'))
    git(root, 'add', 'link.txt')
    git(root, 'update-index', '--skip-worktree', 'hidden.txt')
    const blob = git(root, 'hash-object', '-w', 'conflict.txt')
    execFileSync('git', ['update-index', '--index-info'], {
      cwd: root,
      input: `0 ${'0'.repeat(40)}\tconflict.txt\n100644 ${blob} 1\tconflict.txt\n100644 ${blob} 2\tconflict.txt\n100644 ${blob} 3\tconflict.txt\n`,
    })
    const before = [git(root, 'ls-files', '-s'), git(root, 'status', '--porcelain')]
    const output = await run(root)
    expect(Object.fromEntries(output.files.map(({ file, refused }) => [file, refused[0]?.reason]))).toEqual({
      'restaged.txt': 'changed',
      'unstaged.txt': 'not_staged',
      'intent.txt': 'changed',
      'link.txt': 'not_a_file',
      'hidden.txt': 'not_staged',
      'conflict.txt': 'conflict',
    })
    expect([git(root, 'ls-files', '-s'), git(root, 'status', '--porcelain')]).toEqual(before)
    expect([output.fixed, fix.exit!(output)]).toEqual([0, 1])
  })

  it('changes nothing where another git process holds the index, or where it is aborted', async () => {
    const root = project({ ...RULES })
    write(root, { 'a.txt': 'bad\n' })
    git(root, 'add', 'a.txt')
    await scan(root)
    writeFileSync(join(root, '.git/index.lock'), '')
    const error = await refusal(() => run(root))
    expect([error.code, staged(root, 'a.txt'), read(root, 'a.txt')]).toEqual(['CONFLICT', 'bad\n', 'bad\n'])
    rmSync(join(root, '.git/index.lock'))
    const gone = new AbortController()
    gone.abort()
    await expect(fix.run({ dry_run: false }, surface(root, { signal: gone.signal }).context)).rejects.toThrow()
    expect([staged(root, 'a.txt'), read(root, 'a.txt')]).toEqual(['bad\n', 'bad\n'])
    expect(git(root, 'status', '--porcelain')).toBe('A  a.txt')
    await run(root)
    expect(staged(root, 'a.txt')).toBe('good\n')
  })

  it('fixes the index that a hook was given, and refuses the passing one of a commit of single paths', async () => {
    const root = project({ ...RULES, 'a.txt': 'x\n' })
    write(root, { 'a.txt': 'bad\n' })
    const index = join(root, '.git/index.lock-like')
    execFileSync('cp', [join(root, '.git/index'), index])
    execFileSync('git', ['add', 'a.txt'], { cwd: root, env: { ...process.env, GIT_INDEX_FILE: index } })
    const env = { GIT_INDEX_FILE: '.git/index.lock-like' }
    await scan(root, env)
    await run(root, undefined, env)
    expect(staged(root, 'a.txt')).toBe('x\n')
    const shown = execFileSync('git', ['show', ':a.txt'], { cwd: root, env: { ...process.env, GIT_INDEX_FILE: index } })
    expect([shown.toString(), read(root, 'a.txt')]).toEqual(['good\n', 'good\n'])
    const error = await refusal(() => run(root, undefined, { GIT_INDEX_FILE: '.git/next-index-12.lock' }))
    expect(error.code).toBe('CONFLICT')
  })

  it('never fixes the rules and settings that svc itself relies on', async () => {
    const root = project({ ...RULES })
    write(root, { 'sub/.svc/notes.txt': 'bad\n' })
    git(root, 'add', 'sub/.svc/notes.txt')
    const found = await scan(root)
    expect(found.fixable).toBe(1)
    const output = await run(root)
    expect(output.files[0]!.refused[0]).toMatchObject({ reason: 'protected' })
    expect(staged(root, 'sub/.svc/notes.txt')).toBe('bad\n')
  })

  it('says what is missing: a scan, or a record that can be read', async () => {
    const root = project({ ...RULES })
    expect((await refusal(() => run(root))).code).toBe('RUN_NOT_FOUND')
    for (const text of [
      '',
      '{}',
      '[]',
      'null',
      '{"version":1,"blobs":{},"findings":[{}]}',
      '{"version":2,"blobs":{},"findings":[]}',
      '{"version":1,"blobs":{"a":"--x"},"findings":[]}',
    ]) {
      write(root, { 'out/pre-commit.json': text })
      expect((await refusal(() => run(root))).code, text).toBe('STORE_UNREADABLE')
    }
  })

  it('forgets the files that it fixed, so that a second call does nothing', async () => {
    const root = project({ ...RULES })
    write(root, { 'a.txt': 'bad\n' })
    git(root, 'add', 'a.txt')
    await scan(root)
    await run(root)
    expect(readRecord(join(root, 'out')).findings).toEqual([])
    const mtime = statSync(join(root, 'a.txt')).mtimeMs
    expect(await run(root)).toMatchObject({ fixed: 0, files: [] })
    expect(statSync(join(root, 'a.txt')).mtimeMs).toBe(mtime)
  })
})
