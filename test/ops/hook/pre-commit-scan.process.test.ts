import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../engine/base/languages/languages.ts'
import type { View } from '../../../engine/base/text/view.ts'
import { findInlineSuppressions } from '../../../engine/detect/rules/inline.ts'
import { ignoreComment } from '../../../engine/hook/recovery-hints.ts'
import preCommitScan from '../../../engine/ops/hook/scan.ts'
import { refusal, surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { git } from '../../made/git.ts'
import { project } from '../../made/project.ts'
import { wordRule } from '../../made/rules.ts'
import { RULES, scan, view } from './staging.ts'

const text = (output: Awaited<ReturnType<typeof scan>>, more: Partial<View> = {}) =>
  preCommitScan.text(output, { ...view, ...more })

describe('pre-commit-scan', () => {
  it('says nothing of a clean commit, and exits 0', async () => {
    const root = project({ ...RULES, 'a.txt': 'one\n' })
    write(root, { 'a.txt': 'two\n' })
    git(root, 'add', 'a.txt')
    const { context, notices } = surface(root)
    const output = await preCommitScan.run({}, context)
    expect([text(output), notices, preCommitScan.exit!(output)]).toEqual(['', [], 0])
    expect(text(output, { verbose: true })).toBe('1 staged file scanned, no findings.')
  })

  it.each([
    ['nothing is staged', () => {}],
    ['files are only removed', (root: string) => git(root, 'rm', '-q', 'a.txt')],
    [
      'only a picture is staged',
      (root: string) => {
        writeFileSync(join(root, 'p.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]))
        git(root, 'add', 'p.png')
      },
    ],
    ['only a mode changes', (root: string) => git(root, 'update-index', '--chmod=+x', 'a.txt')],
    ['a file that has findings is only renamed', (root: string) => git(root, 'mv', 'old.txt', 'new.txt')],
  ])('passes, and says nothing, where %s', async (_, stage) => {
    const root = project({ ...RULES, 'a.txt': 'one\n', 'old.txt': 'bad\nworse\n' })
    stage(root)
    const output = await scan(root)
    expect([output.passed, text(output)]).toEqual([true, ''])
  })

  it('judges what is staged and not what is on disk', async () => {
    const root = project({ ...RULES, 'a.txt': 'one\n', 'b.txt': 'one\n' })
    write(root, { 'a.txt': 'bad\n', 'b.txt': 'fine\n' })
    git(root, 'add', '.')
    write(root, { 'a.txt': 'mended\n', 'b.txt': 'bad, not staged\n', 'c.txt': 'bad, untracked\n' })
    const output = await scan(root)
    expect(output.blocking.map(({ file }) => file)).toEqual(['a.txt'])
  })

  it('holds only what is new: findings that were there before pass with the change', async () => {
    const root = project({ ...RULES, 'a.txt': 'bad\n' })
    write(root, { 'a.txt': 'above\nbad\nbelow\n' })
    git(root, 'add', '.')
    expect((await scan(root)).passed).toBe(true)
    write(root, { 'a.txt': 'above\nbad\nbelow, and bad again\n' })
    git(root, 'add', '.')
    expect((await scan(root)).blocking).toHaveLength(1)
  })

  it('works before the first commit of a repository', async () => {
    const root = project({ first: '' })
    rmSync(join(root, '.git'), { recursive: true })
    git(root, 'init', '-q')
    write(root, { ...RULES, 'a.txt': 'bad\n' })
    git(root, 'add', '.')
    expect((await scan(root)).blocking.map(({ file }) => file)).toEqual(['a.txt'])
  })

  it('reports what, where, why, the fix and how to accept with a reason, and never how to bypass the hook', async () => {
    const root = project({ ...RULES, ...wordRule('evil', 'severity: critical') })
    write(root, { 'src/a file.py': 'x = 1\nevil()\n', 'b.js': 'one\nbad\n', 'c.json': '"evil"\n' })
    git(root, 'add', '.')
    const output = await scan(root)
    expect(preCommitScan.exit!(output)).toBe(1)
    const said = text(output)
    expect(said).toContain('Commit blocked: 2 new critical findings; 1 new high finding.')
    expect(said).toMatch(
      /critical {2}The word evil: 2 in 2 files, first at c\.json:1 {2}\[local-evil\]\n {4}c\.json:1\n/,
    )
    expect(said).toMatch(/\n {4}src\/a file\.py:2\n +2 \| evil\(\)/)
    expect(said).toMatch(/high {6}The word bad {2}\[local-bad\]\n {4}b\.js:2\n +2 \| bad/)
    expect(said).toContain('Why     Somebody wrote evil.')
    expect(said).toContain('Fix     Do not write evil.')
    expect(said).toContain('// svc-ignore: local-bad -- <reason>  on the line before')
    expect(said).toContain(`svc suppress --rule local-evil --file 'src/a file.py' --reason "<reason>"`)
    expect(said).toContain('Autofix svc fix-hook applies the fix to the staged content')
    expect(said).toContain('Next: run svc fix-hook, fix what is left, stage it with git add, and commit again.')
    expect(said).toContain('and then git add .svc/suppressions.yaml')
    expect(said).not.toContain('no-verify')
  })

  it('what it says works: the comment, the suppression, the fix', async () => {
    const root = project({ ...RULES })
    write(root, { 'a.py': '# svc-ignore: local-bad -- a word of the customer\nbad\n', 'b.txt': 'worse\n' })
    git(root, 'add', '.')
    expect((await scan(root)).blocking.map(({ file }) => file)).toEqual(['b.txt'])
    write(root, {
      '.svc/suppressions.yaml': '- rule: local-worse\n  reason: known\n',
    })
    const held = await scan(root)
    expect(text(held)).toContain(
      'The staged settings apply, and .svc/suppressions.yaml differs on disk: `git add` what belongs to this commit.',
    )
    git(root, 'add', '.svc/suppressions.yaml')
    expect((await scan(root)).passed).toBe(true)
  })

  it('lets findings pass that do not fail the gate, by the configuration of each folder, and counts them', async () => {
    const root = project({
      ...RULES,
      ...wordRule('small', 'severity: low\nfix: SMALL'),
      '.svc/config.yaml': 'gate: { fail_on: [critical] }\n',
      'strict/.svc/config.yaml': 'gate: { fail_on: [high] }\n',
    })
    write(root, { 'a.txt': 'bad small\n', 'strict/b.txt': 'bad\n' })
    git(root, 'add', '.')
    const output = await scan(root)
    expect([output.blocking.map(({ file }) => file), output.others.length]).toEqual([['strict/b.txt'], 2])
    expect(text(output)).toContain(
      'Further findings that do not block the commit: 1 high, 1 low; `svc fix-hook` fixes them',
    )
    expect(text(output, { verbose: true })).toContain('low       a.txt:1  local-small')
  })

  it('says what it could not judge, even where the commit passes', async () => {
    const root = project({ ...RULES, '.svc/config.yaml': 'scan: { max_file_bytes: 100 }\n' })
    write(root, { 'big.txt': 'x'.repeat(200) })
    git(root, 'add', '.')
    // With every pack: what is too large is searched for secrets.
    const output = await preCommitScan.run({}, surface(root).context)
    expect([output.passed, text(output)]).toEqual([
      true,
      [
        'big.txt was partly scanned: 200 bytes, the limit is 100: searched for secrets only.',
        'Staged files partly scanned: 1 too large.',
      ].join('\n'),
    ])
  })

  it('leaves out/pre-commit.json with the findings and what was staged, and replaces it each time', async () => {
    const root = project({ ...RULES })
    write(root, { 'a.txt': 'bad\n', 'b.py': 'yaml.load(input(), Loader=yaml.Loader)\n' })
    git(root, 'add', '.')
    await scan(root)
    const record = () => JSON.parse(readFileSync(join(root, 'out/pre-commit.json'), 'utf8'))
    expect(record()).toMatchObject({ version: 1, blobs: { 'a.txt': git(root, 'rev-parse', ':a.txt') } })
    expect(record().findings.map(({ file }: { file: string }) => file)).toContain('a.txt')
    git(root, 'rm', '-q', '-f', '--cached', 'a.txt', 'b.py')
    await scan(root)
    expect(record()).toMatchObject({ blobs: {}, findings: [] })
    expect(existsSync(join(root, 'out/history'))).toBe(false)
  })

  it('holds no commit because the record cannot be written, but says so', async () => {
    const root = project({ ...RULES })
    writeFileSync(join(root, 'out'), 'a file where a folder should be')
    write(root, { 'a.txt': 'fine\n' })
    git(root, 'add', 'a.txt')
    const { context, notices } = surface(root)
    expect((await preCommitScan.run({}, context)).passed).toBe(true)
    expect(notices.join()).toContain('`svc fix-hook` cannot use this scan')
  })

  it('fails closed: a configuration that is not valid holds the commit', async () => {
    const root = project({ ...RULES })
    write(root, { '.svc/config.yaml': 'gate: { fail_onn: [] }\n', 'a.txt': 'fine\n' })
    git(root, 'add', '.')
    expect((await refusal(() => scan(root))).code).toBe('CONFIG_INVALID')
  })

  it('judges the index that the commit is made from', async () => {
    const root = project({ ...RULES, 'a.txt': 'x\n' })
    write(root, { 'a.txt': 'bad\n' })
    expect((await scan(root)).passed).toBe(true)
    const index = join(root, '.git/other-index')
    writeFileSync(index, readFileSync(join(root, '.git/index')))
    chmodSync(index, 0o600)
    const { execFileSync } = await import('node:child_process')
    execFileSync('git', ['add', 'a.txt'], { cwd: root, env: { ...process.env, GIT_INDEX_FILE: index } })
    expect((await scan(root, { GIT_INDEX_FILE: '.git/other-index' })).passed).toBe(false)
  })
})

describe('the comment that accepts a finding', () => {
  it('is one that svc knows, in every language that has comments', () => {
    const wrong: string[] = []
    let known = 0
    // Liquid's only comment is a tag with a word in it; there `svc suppress` is named alone.
    for (const { name, lexis } of LANGUAGES.values()) {
      const comment = ignoreComment(name, 'local-evil')
      if (comment === undefined) {
        if (lexis?.line || (lexis?.block && name !== 'liquid')) wrong.push(`${name}: none`)
        continue
      }
      known++
      const before = name === 'php' ? '<?php\n' : ''
      const [found] = findInlineSuppressions(name, `${before}${comment.replace('<reason>', 'a reason')}\nevil\n`)
      if (found?.rules[0] !== 'local-evil' || !found.reason.startsWith('a reason') || found.last_line === found.line)
        wrong.push(`${name}: ${comment}`)
    }
    expect(wrong).toEqual([])
    expect(known).toBeGreaterThan(50)
  })
})
