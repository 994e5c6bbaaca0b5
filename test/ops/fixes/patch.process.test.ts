import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { View } from '../../../engine/base/text/view.ts'
import patch from '../../../engine/ops/fixes/patch.ts'
import { perform } from '../../../engine/scan/perform.ts'
import { persist } from '../../../engine/scan/persist.ts'
import { refusal, surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { OWN_RULES, wordRule } from '../../made/rules.ts'

const view: View = { verbose: false, quiet: false, width: 80, paint: (_style, text) => text }

/** Rules that replace a word: `tiny` is info, `small` low, `large` high. */
const RULES = {
  ...wordRule('tiny', 'severity: info\nfix: TINY'),
  ...wordRule('small', 'severity: low\nfix: SMALL'),
  ...wordRule('large', 'severity: high\nfix: LARGE'),
}

/** Scans and stores the run. */
async function scan(root: string) {
  const { context } = surface(root, { env: OWN_RULES })
  const performed = await perform({ repo_path: '.' }, context)
  await persist(performed, context)
  return performed
}

/** A repository with these files, scanned. */
async function scanned(files: Record<string, string | Uint8Array>): Promise<string> {
  const root = project({ ...RULES, ...files })
  await scan(root)
  return root
}

const run = (root: string, input: Partial<Parameters<typeof patch.run>[0]> = {}, at = '') =>
  patch.run({ dry_run: false, ...input }, surface(join(root, at)).context)
const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8')
const names = (findings: { rule_id: string; file: string }[]) =>
  findings.map(({ rule_id, file }) => `${file} ${rule_id}`)

describe('apply-patches', () => {
  it('applies the fixes of the last scan, and a scan afterwards does not find them', async () => {
    const root = await scanned({ 'a.txt': 'a tiny thing\nand a small one, tiny\n', 'src/b.txt': 'nothing\n' })
    chmodSync(join(root, 'a.txt'), 0o755)
    const output = await run(root, {}, 'src')
    expect(names(output.applied)).toEqual(['a.txt local-tiny', 'a.txt local-small', 'a.txt local-tiny'])
    expect([output.files, output.refused, output.held]).toEqual([['a.txt'], [], []])
    expect(read(root, 'a.txt')).toBe('a TINY thing\nand a SMALL one, TINY\n')
    expect(statSync(join(root, 'a.txt')).mode & 0o777).toBe(0o755)
    const again = await scan(root)
    expect(again.findings).toEqual([])
    expect(patch.exit!(output)).toBe(0)
    expect(patch.text(output, view)).toContain('Applied 3 fixes in 1 file.')
  })

  it('refuses a rule that there is not, and takes one that has found nothing', async () => {
    const root = await scanned({ 'a.txt': 'a tiny thing\n' })
    const error = await refusal(() => run(root, { rule: ['local-tiny', 'local-smal'] }))
    expect([error.code, error.message]).toEqual([
      'RULE_NOT_FOUND',
      'There is no rule local-smal; did you mean local-small?',
    ])
    expect(read(root, 'a.txt')).toBe('a tiny thing\n')
    expect((await run(root, { rule: ['local-small'] })).applied).toEqual([])
  })

  it('takes a rule of a scanner that the configuration names, whose rules nobody else knows', async () => {
    const scanners = 'external_scanners: { semgrep: { enabled: false, report: s.sarif } }\n'
    const root = await scanned({ 'a.txt': 'a tiny thing\n', '.svc/config.yaml': scanners })
    expect((await run(root, { rule: ['semgrep:python.eval'] })).applied).toEqual([])
    expect((await refusal(() => run(root, { rule: ['bandit:B101'] }))).code).toBe('RULE_NOT_FOUND')
  })

  it.each([
    ['no profile', '', ['a.txt local-tiny', 'a.txt local-small']],
    ['strict', 'governance: { profile: strict }', []],
    ['standard', 'governance: { profile: standard }', ['a.txt local-tiny', 'a.txt local-small']],
    ['permissive', 'governance: { profile: permissive }', ['a.txt local-tiny', 'a.txt local-small']],
    [
      'an explicit info',
      'governance: { profile: permissive, human_review_required: { on_auto_patch_above: info } }',
      ['a.txt local-tiny'],
    ],
    [
      'an explicit critical',
      'governance: { profile: strict, human_review_required: { on_auto_patch_above: critical } }',
      ['a.txt local-tiny', 'a.txt local-small', 'a.txt local-large'],
    ],
  ])('under %s patches as far as it may without a human, and lists the rest as held', async (_, yaml, expected) => {
    const root = await scanned({ 'a.txt': 'tiny small large\n', ...(yaml && { '.svc/config.yaml': `${yaml}\n` }) })
    const output = await run(root)
    expect(names(output.applied)).toEqual(expected)
    expect(names([...output.applied, ...output.held.map(({ finding }) => finding)]).sort()).toEqual([
      'a.txt local-large',
      'a.txt local-small',
      'a.txt local-tiny',
    ])
    const words = ['tiny', 'small', 'large'].map(word =>
      expected.includes(`a.txt local-${word}`) ? word.toUpperCase() : word,
    )
    expect(read(root, 'a.txt')).toBe(`${words.join(' ')}\n`)
    if (expected.length < 3) expect(patch.text(output, view)).toMatch(/a manual review[\s\S]*Apply them by hand/)
  })

  it('holds each file to the ceiling of its own folder', async () => {
    const root = await scanned({
      'a.txt': 'small\n',
      'sub/b.txt': 'small\n',
      'sub/.svc/config.yaml': 'packs: {}\n',
    })
    writeFileSync(
      join(root, '.svc/config.yaml'),
      'governance: { human_review_required: { on_auto_patch_above: info } }\n',
    )
    expect((await run(root)).held.map(({ finding }) => finding.file)).toEqual(['a.txt', 'sub/b.txt'])
  })

  it('says with --dry-run that there is no fix to apply, beside the empty patch', async () => {
    const root = await scanned({ 'a.txt': 'nothing\n' })
    const { context, notices } = surface(root)
    const output = await patch.run({ dry_run: true }, context)
    expect(patch.text(output, view)).toBe('')
    expect(notices).toEqual([`No fix to apply: 0 findings of run ${output.run_id} with an autofix.`])
  })

  it('prints a patch and changes nothing with --dry-run, and git applies that patch to the same effect', async () => {
    const files = {
      'a.txt': 'one\r\ntiny\r\nthree\r\n',
      'b c.txt': 'tiny',
      'dir/ü.txt': `${'x\n'.repeat(30)}small\n${'y\n'.repeat(30)}tiny\n`,
    }
    const root = await scanned(files)
    const { context, notices } = surface(root)
    const output = await patch.run({ dry_run: true }, context)
    for (const [path, content] of Object.entries(files)) expect(read(root, path)).toBe(content)
    const text = patch.text(output, view)
    expect(text).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\r\n-tiny\r\n+TINY\r\n three\r\n')
    expect(notices).toEqual([])
    execFileSync('git', ['apply', '--check', '-'], { cwd: root, input: text })
    execFileSync('git', ['apply', '-'], { cwd: root, input: text })
    const patched = Object.keys(files).map(path => read(root, path))
    write(root, files)
    await run(root)
    expect(Object.keys(files).map(path => read(root, path))).toEqual(patched)
  })

  it('takes one rule, or one severity, where it is told to', async () => {
    const root = await scanned({ 'a.txt': 'tiny small large\n' })
    await run(root, { rule: ['local-tiny'] })
    expect(read(root, 'a.txt')).toBe('TINY small large\n')
    await scan(root)
    const output = await run(root, { severity: ['low', 'high'] })
    expect(read(root, 'a.txt')).toBe('TINY SMALL large\n')
    expect(names(output.held.map(({ finding }) => finding))).toEqual(['a.txt local-large'])
  })

  it('refuses a file that has changed since the scan as a whole, lists it, and patches the others', async () => {
    const files = {
      'same.txt': 'tiny small\n',
      'shifted.txt': 'tiny\nsmall\n',
      'gone.txt': 'tiny\n',
      'other.txt': 'tiny\nsmall\n',
      'tail.txt': 'tiny\nend\n',
      'link.txt': 'tiny\n',
      'folder.txt': 'tiny\n',
    }
    const root = await scanned(files)
    write(root, { 'shifted.txt': 'new\ntiny\nsmall\n', 'other.txt': 'tiny\nSMALL\n', 'tail.txt': 'tiny\nthe end\n' })
    rmSync(join(root, 'gone.txt'))
    rmSync(join(root, 'link.txt'))
    symlinkSync('same.txt', join(root, 'link.txt'))
    rmSync(join(root, 'folder.txt'))
    mkdirSync(join(root, 'folder.txt'))
    const output = await run(root)
    expect(output.files).toEqual(['same.txt'])
    expect(read(root, 'same.txt')).toBe('TINY SMALL\n')
    expect(['shifted.txt', 'other.txt', 'tail.txt'].map(path => read(root, path))).toEqual([
      'new\ntiny\nsmall\n',
      'tiny\nSMALL\n',
      'tiny\nthe end\n',
    ])
    expect(Object.fromEntries(output.refused.map(({ finding, reason }) => [finding.file, reason]))).toEqual({
      'folder.txt': 'unreadable',
      'gone.txt': 'unreadable',
      'link.txt': 'unreadable',
      'other.txt': 'changed',
      'shifted.txt': 'changed',
      'tail.txt': 'changed',
    })
    expect(patch.exit!(output)).toBe(1)
    expect(patch.text(output, view)).toContain('(The file has changed since it was scanned.)')
  })

  it('leaves suppressed findings alone, and keeps to the repository', async () => {
    const root = await scanned({ 'a.txt': '# svc-ignore: local-tiny -- wanted\ntiny\n', 'b.txt': 'small\n' })
    expect(names((await run(root)).applied)).toEqual(['b.txt local-small'])
    expect(read(root, 'a.txt')).toContain('\ntiny\n')
  })

  it('says that there was no scan where there was none', async () => {
    const root = project({ 'a.txt': 'tiny\n' })
    expect((await refusal(() => run(root))).code).toBe('RUN_NOT_FOUND')
  })
})
