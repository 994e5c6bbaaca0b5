import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import fix from '../../../engine/ops/hook/fix.ts'
import preCommitScan from '../../../engine/ops/hook/scan.ts'
import { write } from '../../made/folder.ts'
import { git } from '../../made/git.ts'
import { project } from '../../made/project.ts'
import { RULES, read, run, scan, staged, view } from './staging.ts'

describe('fix-hook', () => {
  it('fixes what is staged and the working file alike, and the next pre-commit scan passes', async () => {
    const root = project({ ...RULES, 'a.txt': 'one\n', 'b.txt': 'fine\n' })
    write(root, { 'a.txt': 'one\na bad line\n', 'new.txt': 'worse\n' })
    git(root, 'add', 'a.txt', 'new.txt')
    const found = await scan(root)
    expect([found.passed, preCommitScan.exit!(found), found.fixable]).toEqual([false, 1, 2])
    const output = await run(root)
    expect(output.files.map(({ file, working_file }) => [file, working_file])).toEqual([
      ['a.txt', 'updated'],
      ['new.txt', 'updated'],
    ])
    expect([output.fixed, fix.exit!(output)]).toEqual([2, 0])
    expect([staged(root, 'a.txt'), read(root, 'a.txt')]).toEqual(['one\na good line\n', 'one\na good line\n'])
    expect([staged(root, 'new.txt'), read(root, 'new.txt')]).toEqual(['best\n', 'best\n'])
    expect(git(root, 'diff', '--name-only')).toBe('')
    expect((await scan(root)).passed).toBe(true)
  })

  it('leaves alone what is not staged: other lines of the same file, other files, untracked ones', async () => {
    const lines = (second: string, ninth: string) => `1\n${second}\n3\n4\n5\n6\n7\n8\n${ninth}\n10\n`
    const root = project({ ...RULES, 'a.txt': lines('2', '9'), 'other.txt': 'x\n' })
    write(root, { 'a.txt': lines('bad', '9') })
    git(root, 'add', 'a.txt')
    write(root, { 'a.txt': lines('bad', 'bad, and not staged'), 'other.txt': 'bad\n', 'untracked.txt': 'bad\n' })
    await scan(root)
    await run(root)
    expect(staged(root, 'a.txt')).toBe(lines('good', '9'))
    expect(read(root, 'a.txt')).toBe(lines('good', 'bad, and not staged'))
    expect([read(root, 'other.txt'), read(root, 'untracked.txt')]).toEqual(['bad\n', 'bad\n'])
    expect(git(root, 'diff', '--cached', '--name-only')).toBe('a.txt')
  })

  it('leaves the working file byte for byte where its own change touches the same line, and says so', async () => {
    const root = project({ ...RULES, 'a.txt': 'one\n' })
    write(root, { 'a.txt': 'one\nbad\n' })
    git(root, 'add', 'a.txt')
    write(root, { 'a.txt': 'one\nbad, worse\n' })
    await scan(root)
    const output = await run(root)
    expect([staged(root, 'a.txt'), read(root, 'a.txt')]).toEqual(['one\ngood\n', 'one\nbad, worse\n'])
    expect(output.files[0]).toMatchObject({ working_file: 'untouched', refused: [] })
    expect(fix.text(output, view)).toMatch(
      /The working file a\.txt is unchanged\. [A-Z].*\. Apply the change there too\./,
    )
  })

  it('keeps the mode, and works where the file is deleted, a folder or a link in the working tree', async () => {
    const files = {
      'run.sh': 'bad\n',
      'gone.txt': 'bad\n',
      'folder.txt': 'bad\n',
      'link.txt': 'bad\n',
      'far/f.txt': 'bad\n',
    }
    const root = project({ ...RULES, 'target.txt': 'bad target\n' })
    write(root, files)
    git(root, 'add', '--chmod=+x', 'run.sh')
    git(root, 'add', ...Object.keys(files).slice(1))
    for (const path of Object.keys(files).slice(1)) rmSync(join(root, path))
    mkdirSync(join(root, 'folder.txt'))
    symlinkSync('target.txt', join(root, 'link.txt'))
    rmSync(join(root, 'far'), { recursive: true })
    mkdirSync(join(root, 'elsewhere'))
    writeFileSync(join(root, 'elsewhere/f.txt'), 'bad\n')
    symlinkSync('elsewhere', join(root, 'far'))
    await scan(root)
    const output = await run(root)
    expect(Object.fromEntries(output.files.map(({ file, working_file }) => [file, working_file]))).toEqual({
      'run.sh': 'updated',
      'gone.txt': 'absent',
      'folder.txt': 'untouched',
      'link.txt': 'untouched',
      'far/f.txt': 'untouched',
    })
    for (const path of Object.keys(files)) expect(staged(root, path), path).toBe('good\n')
    expect(git(root, 'ls-files', '-s', 'run.sh')).toMatch(/^100755 /)
    expect([read(root, 'target.txt'), read(root, 'elsewhere/f.txt')]).toEqual(['bad target\n', 'bad\n'])
  })

  it.each([
    ['autocrlf', { 'core.autocrlf': 'true' }, ''],
    ['eol=crlf', {}, '*.txt text eol=crlf\n'],
  ])('under %s stages plain line ends and gives the working file its own', async (_, settings, attributes) => {
    const root = project({ ...RULES, '.gitattributes': attributes, 'a.txt': '1\n2\n3\n4\n5\n6\n' })
    for (const [key, value] of Object.entries(settings)) git(root, 'config', key, value)
    write(root, { 'a.txt': '1\r\nbad\r\n3\r\n4\r\n5\r\n6\r\n' })
    git(root, 'add', 'a.txt')
    expect(staged(root, 'a.txt')).toBe('1\nbad\n3\n4\n5\n6\n')
    write(root, { 'a.txt': '1\r\nbad\r\n3\r\n4\r\n5\r\nmine\r\n' })
    await scan(root)
    await run(root)
    expect(staged(root, 'a.txt')).toBe('1\ngood\n3\n4\n5\n6\n')
    expect(read(root, 'a.txt')).toBe('1\r\ngood\r\n3\r\n4\r\n5\r\nmine\r\n')
  })

  it('keeps stored CRLF, and a working file in another encoding', async () => {
    const root = project({ ...RULES, '.gitattributes': '*.txt -text\nwide.u16 working-tree-encoding=UTF-16\n', x: '' })
    const wide = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
    write(root, { 'a.txt': '1\r\nbad é\r\n', 'wide.u16': wide('1\nbad é\n3\n4\n') })
    git(root, 'add', '.')
    write(root, { 'wide.u16': wide('1\nbad é\n3\nmine ü\n') })
    await scan(root)
    await run(root)
    expect(staged(root, 'a.txt')).toBe('1\r\ngood é\r\n')
    expect(read(root, 'a.txt')).toBe('1\r\ngood é\r\n')
    expect(staged(root, 'wide.u16')).toBe('1\ngood é\n3\n4\n')
    expect(readFileSync(join(root, 'wide.u16'))).toEqual(wide('1\ngood é\n3\nmine ü\n'))
  })

  it('does not run what the repository names as filter, nor its hooks', async () => {
    const root = project({ ...RULES, '.gitattributes': '*.txt filter=trap\n' })
    write(root, { 'a.txt': 'bad\n' })
    git(root, 'add', 'a.txt')
    for (const kind of ['clean', 'smudge', 'process'])
      git(root, 'config', `filter.trap.${kind}`, `touch ${root}/sprung`)
    writeFileSync(join(root, '.git/hooks/post-index-change'), `#!/bin/sh\ntouch ${root}/sprung\n`, { mode: 0o755 })
    await scan(root)
    await run(root)
    expect([staged(root, 'a.txt'), existsSync(join(root, 'sprung'))]).toEqual(['good\n', false])
  })

  it('works on files that were renamed, in a work tree of its own, in a subfolder, and under odd names', async () => {
    const root = project({ ...RULES, 'old.txt': `${'line\n'.repeat(20)}` })
    const other = join(root, '../', `${root.split('/').at(-1)}-tree`)
    git(root, 'worktree', 'add', '-q', other)
    try {
      git(other, 'mv', 'old.txt', 'new.txt')
      const odd = [
        'sp ace.txt',
        'ta\tb.txt',
        'q"uote.txt',
        'ü.txt',
        'sub/deep.txt',
        '-dash.txt',
        ':colon.txt',
        'star*.txt',
      ]
      write(other, {
        'new.txt': `${'line\n'.repeat(20)}bad\n`,
        ...Object.fromEntries(odd.map(path => [path, 'bad\n'])),
      })
      const raw = Buffer.concat([Buffer.from(`${other}/`), Buffer.from([0x66, 0xff, 0x2e, 0x74, 0x78, 0x74])])
      writeFileSync(raw, 'bad\n')
      git(other, 'add', '-A')
      await scan(join(other, 'sub'))
      const output = await run(join(other, 'sub'))
      expect(output.files.map(({ file }) => file).sort()).toEqual(['f\\xff.txt', 'new.txt', ...odd].sort())
      expect(output.files.every(({ working_file }) => working_file === 'updated')).toBe(true)
      for (const path of odd) expect([staged(other, path), read(other, path)], path).toEqual(['good\n', 'good\n'])
      expect(readFileSync(raw, 'utf8')).toBe('good\n')
      expect(git(other, 'diff', '--name-only')).toBe('')
    } finally {
      rmSync(other, { recursive: true, force: true })
    }
  })

  it('prints a patch of what is staged and changes nothing with --dry-run', async () => {
    const root = project({ ...RULES })
    write(root, { 'a.txt': 'one\nbad\n' })
    git(root, 'add', 'a.txt')
    await scan(root)
    const before = git(root, 'ls-files', '-s')
    const output = await run(root, { dry_run: true })
    expect(fix.text(output, view)).toBe('--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-bad\n+good\n')
    expect([git(root, 'ls-files', '-s'), read(root, 'a.txt')]).toEqual([before, 'one\nbad\n'])
    execFileSync('git', ['apply', '--cached', '-'], { cwd: root, input: fix.text(output, view) })
    expect(staged(root, 'a.txt')).toBe('one\ngood\n')
  })
})
