import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { View } from '../../../engine/base/text/view.ts'
import exclude from '../../../engine/ops/config/exclude.ts'
import init from '../../../engine/ops/config/init.ts'
import show from '../../../engine/ops/config/show.ts'
import update from '../../../engine/ops/config/update.ts'
import validate from '../../../engine/ops/config/validate.ts'
import { addIgnored } from '../../../engine/sources/config/ignore-file.ts'
import { loadConfig } from '../../../engine/sources/config/load.ts'
import { MODES } from '../../../engine/sources/config/template.ts'
import { context, refusal } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'
import { repository } from '../../made/project.ts'
import fc from '../../made/property.ts'

const CONFIG = '.svc/config.yaml'
const view: View = { verbose: false, quiet: false, width: 80, paint: (_style, text) => text }
const read = (root: string, path = CONFIG) => readFileSync(join(root, path), 'utf8')

describe('init', () => {
  test.each(MODES)('writes a valid configuration for %s that explains itself, and says what to do next', async mode => {
    const root = repository()
    const output = await init.run({ mode, force: false }, context(root))
    expect(output.created).toEqual([CONFIG, '.gitignore'])
    const config = await loadConfig(root)
    expect(config.sources).toEqual([CONFIG])
    expect(config.governance.profile).toBe(mode === 'compliance' ? 'strict' : undefined)
    expect(init.text(output, view)).toMatch(/created {2}\.svc\/config\.yaml[\s\S]*Next:\n {2}svc /)
  })

  test('every line that is commented out in a template is valid when it is taken in', async () => {
    for (const mode of MODES) {
      const root = repository()
      await init.run({ mode, force: false }, context(root))
      const text = read(root).replace(/^( *)# ((packs|scan|history):| {2,}[a-z]+: .*|disable: .*)$/gm, '$1$2')
      expect(text).not.toBe(read(root))
      await loadConfig(repository({ [CONFIG]: text }))
    }
  })

  test('keeps .svc/local/ and out/ out of git, and leaves the rest of .gitignore byte for byte', async () => {
    const root = repository({ '.gitignore': '# mine\r\nout\r\n*.log' })
    const output = await init.run({ mode: 'developer', force: false }, context(root))
    expect(output.changed).toEqual(['.gitignore'])
    expect(read(root, '.gitignore')).toBe('# mine\r\nout\r\n*.log\r\n.svc/local/\r\n')
    expect(execFileSync('git', ['status', '--porcelain', '-uall'], { cwd: root, encoding: 'utf8' })).toBe(
      '?? .gitignore\n?? .svc/config.yaml\n',
    )
  })

  test('writes no .gitignore where there is no git', async () => {
    const root = folder()
    await init.run({ mode: 'developer', force: false }, context(root))
    expect(readdirSync(root)).toEqual(['.svc'])
  })

  test('leaves an out/ of the project visible to git, and names another directory for runs and reports', async () => {
    const root = repository({ 'out/page.js': 'eval(location.hash)\n' })
    const output = await init.run({ mode: 'developer', force: false }, context(root))
    expect(output.output_dir).toBe('svc-out')
    expect((await loadConfig(root)).output_dir).toBe('svc-out')
    expect(read(root, '.gitignore')).toBe('.svc/local/\nsvc-out/\n')
    expect(init.text(output, view)).toContain(
      'Runs and reports go to svc-out/ (output_dir): out/ contains files of the project.',
    )
    expect(init.text(output, view)).toContain('svc scan  scan the repository; reports go to svc-out/')
  })

  test('takes over the output directory that SVC_OUTPUT_DIR names in the repository, and names it in each step', async () => {
    const root = repository()
    const output = await init.run({ mode: 'ci', force: false }, context(root, { env: { SVC_OUTPUT_DIR: 'build/svc' } }))
    expect((await loadConfig(root)).output_dir).toBe('build/svc')
    expect(read(root, '.gitignore')).toContain('build/svc/')
    expect(init.text(output, view)).toContain('store build/svc/ as its artifact')
    expect(init.text(output, view)).not.toMatch(/(?<![\w/])out\//)
  })

  test('says which files to commit, where there is git', async () => {
    const next = async (root: string) =>
      init.text(await init.run({ mode: 'developer', force: false }, context(root)), view)
    expect(await next(repository())).toMatch(/git add \.svc \.gitignore[\s\S]*svc hook install/)
    expect(await next(folder())).not.toContain('git add')
  })

  test('never overwrites, unless it is forced to', async () => {
    const root = repository({ [CONFIG]: '# precious\n' })
    const error = await refusal(() => init.run({ mode: 'developer', force: false }, context(root)))
    expect([error.code, error.hint]).toEqual(['CONFLICT', expect.stringContaining('--force')])
    expect(read(root)).toBe('# precious\n')
    expect(existsSync(join(root, '.gitignore'))).toBe(false)
    const output = await init.run({ mode: 'developer', force: true }, context(root))
    expect(output.changed).toEqual([CONFIG])
    expect(read(root)).toContain('fail_on')
  })

  test('writes to the root of the repository from a folder below it, and through no link that leads out', async () => {
    const root = repository({ 'a/b.ts': '' })
    await init.run({ mode: 'ci', force: false }, context(join(root, 'a')))
    expect(existsSync(join(root, CONFIG))).toBe(true)
    const linked = repository()
    const outside = folder()
    symlinkSync(outside, join(linked, '.svc'))
    expect((await refusal(() => init.run({ mode: 'ci', force: false }, context(linked)))).code).toBe('PATH_ESCAPES')
    expect(readdirSync(outside)).toEqual([])
  })

  test('what ignoring adds is added once, whatever stood there', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('out', '/out/', '.svc/local', '#', '*.log', '', 'ou', '\r'), { maxLength: 8 }),
        lines => {
          const once = addIgnored(lines.join('\n'), ['.svc/local/', 'out/'])
          expect(once.startsWith(lines.join('\n'))).toBe(true)
          expect(addIgnored(once, ['.svc/local/', 'out/'])).toBe(once)
          const kept = once.split(/\r?\n/).map(line => line.trim())
          expect(kept.some(line => ['out', '/out', 'out/', '/out/'].includes(line))).toBe(true)
        },
      ),
    )
  })
})

describe('validate-config', () => {
  test('lists every fault of the root and of folders that git would show, with place, and exits 64', async () => {
    const root = repository({
      [CONFIG]: 'gate:\n  fial_on: []\n',
      'a/.svc/config.yaml': 'scan: { jobs: 2 }\n',
      'b/.svc/config.yaml': 'packs: [\n',
    })
    const output = await validate.run({}, context(root))
    expect(output.valid).toBe(false)
    expect(validate.exit!(output)).toBe(64)
    const lines = validate.text(output, view).split('\n')
    expect(lines[0]).toBe('.svc/config.yaml:2:3  fial_on is not a known key of gate; did you mean fail_on?')
    expect(lines[1]).toMatch(/^a\/\.svc\/config\.yaml:1:9 {2}scan\.jobs can only be set/)
    expect(lines[2]).toMatch(/^b\/\.svc\/config\.yaml:\d+:\d+ {2}The YAML cannot be parsed/)
    expect(lines.at(-1)).toBe('3 faults.')
  })

  test('says which files are valid, or that there is none, and exits 0', async () => {
    const root = repository({ [CONFIG]: '', 'a/.svc/config.yaml': 'packs: { enable: [python] }\n' })
    const output = await validate.run({}, context(root))
    expect(validate.exit!(output)).toBe(0)
    expect(validate.text(output, view)).toBe('valid  .svc/config.yaml, a/.svc/config.yaml')
    expect(validate.text(await validate.run({}, context(repository())), view)).toContain('svc init')
  })

  test('finds what a scan would refuse besides: packs that do not exist, own rules, suppressions, the baseline', async () => {
    const root = repository({
      [CONFIG]: 'packs:\n  enable: [nope]\n',
      'a/.svc/config.yaml': 'packs: { disable: [nay] }\n',
      '.svc/suppressions.yaml': '- reason: ours\n',
      '.svc/baseline.json': '{\n',
    })
    const { valid, faults } = await validate.run({}, context(root))
    expect(valid).toBe(false)
    expect(faults.map(({ file, line, message }) => [file, line, message])).toEqual([
      [CONFIG, 2, expect.stringContaining('There is no pack nope')],
      ['a/.svc/config.yaml', 1, expect.stringContaining('There is no pack nay')],
      ['.svc/suppressions.yaml', 1, 'An entry has no rule.'],
      ['.svc/baseline.json', expect.any(Number), 'The baseline is not valid JSON.'],
    ])
    const rules = repository({ '.svc/rules/a.yaml': 'id: a\ntype: regex\npattern: x\n' })
    const broken = (await validate.run({}, context(rules))).faults
    expect(broken.find(({ message }) => message.startsWith('pattern '))).toMatchObject({
      file: '.svc/rules/a.yaml',
      line: 3,
      column: 1,
    })
    expect(broken.every(({ file, message }) => file === '.svc/rules/a.yaml' && !message.includes(rules))).toBe(true)
  })

  test('checks another file from the working directory, but no file outside the project for a remote caller', async () => {
    const root = repository({ 'a/ci.yaml': 'gate: 1\n' })
    const output = await validate.run({ config: 'ci.yaml' }, context(join(root, 'a')))
    expect(output.faults[0]!.line).toBe(1)
    const outside = join(folder({ 'secret.yaml': 'password: hunter2\n' }), 'secret.yaml')
    const remote = context(root, { surface: 'rest' })
    expect((await refusal(() => validate.run({ config: outside }, remote))).code).toBe('PATH_ESCAPES')
  })
})

describe('GET /api/config', () => {
  test('answers the settings in force, and what holds for one file', async () => {
    const root = repository({ [CONFIG]: 'history: { keep: 3 }\n', 'a/.svc/config.yaml': 'scan_exclude: [gen]\n' })
    const whole = await show.run({}, context(root))
    expect([whole.settings.history.keep, whole.sources]).toEqual([3, [CONFIG]])
    expect((await show.run({ path: 'a/b/c.ts' }, context(root))).settings.scan_exclude).toEqual(['a/gen'])
    expect((await show.run({ path: 'b/c.ts' }, context(root))).settings.scan_exclude).toEqual([])
    expect((await refusal(() => show.run({ path: '../x' }, context(root)))).code).toBe('PATH_ESCAPES')
  })
})

describe('POST /api/config', () => {
  const TEXT = `# Why we are strict.
gate:
  # Agreed in spring.
  fail_on: [critical] # for now

scan_exclude:
- gen # generated
- vendor
`

  test('sets and takes out keys, and every comment and the style of the file stay', async () => {
    const root = repository({ [CONFIG]: TEXT })
    const output = await update.run(
      { set: { scan: { jobs: 2 }, governance: { profile: 'strict' } }, unset: [] },
      context(root),
    )
    expect(output.settings.scan.jobs).toBe(2)
    expect(read(root)).toBe(`${TEXT}scan:\n  jobs: 2\ngovernance:\n  profile: strict\n`)
    await update.run({ set: {}, unset: ['scan.jobs', 'governance.profile'] }, context(root))
    expect(read(root)).toBe(TEXT)
  })

  test('keeps CRLF, and the mode of the file', async () => {
    const root = repository({ [CONFIG]: 'gate:\r\n  fail_on: [low]\r\n' })
    chmodSync(join(root, CONFIG), 0o640)
    await update.run({ set: { history: { keep: 5 } }, unset: [] }, context(root))
    expect(read(root)).toBe('gate:\r\n  fail_on: [low]\r\nhistory:\r\n  keep: 5\r\n')
    expect(statSync(join(root, CONFIG)).mode & 0o777).toBe(0o640)
  })

  test('writes nothing where the result would not be valid, and leaves nothing behind', async () => {
    const root = repository({ [CONFIG]: TEXT })
    for (const set of [{ gate: { fail_on: ['hihg'] } }, { gaet: 1 }, { packs: { enable: ['a'], disable: ['a'] } }])
      expect((await refusal(() => update.run({ set, unset: [] }, context(root)))).code).toBe('CONFIG_INVALID')
    expect((await refusal(() => update.run({ set: {}, unset: ['gaet'] }, context(root)))).code).toBe('INPUT_INVALID')
    expect(read(root)).toBe(TEXT)
    expect(readdirSync(join(root, '.svc'))).toEqual(['config.yaml'])
  })

  test('makes the file, and opens a section that stands empty', async () => {
    const root = repository()
    await update.run({ set: { gate: { fail_on: ['low'] } }, unset: [] }, context(root))
    expect(read(root)).toBe('gate:\n  fail_on:\n    - low\n')
    const empty = repository({ [CONFIG]: 'scan:\ngate:\n' })
    await update.run({ set: { scan: { jobs: 2 } }, unset: [] }, context(empty))
    expect((await loadConfig(empty)).scan.jobs).toBe(2)
  })

  test('says so where nothing changes', async () => {
    const root = repository({ [CONFIG]: 'history: { keep: 5 }\n' })
    const before = statSync(join(root, CONFIG)).mtimeMs
    const output = await update.run({ set: { history: { keep: 5 } }, unset: ['scan.jobs'] }, context(root))
    expect(output.changed).toBe(false)
    expect(statSync(join(root, CONFIG)).mtimeMs).toBe(before)
  })
})

describe('exclude', () => {
  const options = { remove: false, list: false }

  test('adds paths once, relative to the root, and keeps the comments', async () => {
    const root = repository({ [CONFIG]: 'scan_exclude:\n  - gen # generated\n', 'a/vendor/x.js': '' })
    const output = await exclude.run({ ...options, paths: ['vendor/', 'vendor', '../gen'] }, context(join(root, 'a')))
    expect(output.added).toEqual(['a/vendor'])
    expect(read(root)).toBe('scan_exclude:\n  - gen # generated\n  - a/vendor\n')
  })

  test('fills the empty list of a template, and makes the file where there is none', async () => {
    const root = repository()
    await init.run({ mode: 'developer', force: false }, context(root))
    await exclude.run({ ...options, paths: ['**/*.min.js'] }, context(root))
    expect(read(root)).toContain('scan_exclude:\n  - "**/*.min.js"\n')
    expect(read(root)).toContain('# Number of threads')
    const bare = repository()
    await exclude.run({ ...options, paths: ['gen'] }, context(bare))
    expect((await loadConfig(bare)).scan_exclude).toEqual(['gen'])
  })

  test('takes entries out again, and names the one that was meant', async () => {
    const root = repository({ [CONFIG]: 'scan_exclude:\n  - gen\n  # third parties\n  - vendor\n' })
    await exclude.run({ ...options, remove: true, paths: ['gen/'] }, context(root))
    expect(read(root)).toBe('scan_exclude:\n  # third parties\n  - vendor\n')
    const error = await refusal(() => exclude.run({ ...options, remove: true, paths: ['vendro'] }, context(root)))
    expect([error.code, error.message]).toEqual(['NOT_FOUND', expect.stringContaining('did you mean vendor?')])
    await exclude.run({ ...options, remove: true, paths: ['vendor'] }, context(root))
    expect((await loadConfig(root)).scan_exclude).toEqual([])
  })

  test('lists, tells of a path that is not there, and refuses what makes no sense', async () => {
    const root = repository({ [CONFIG]: 'scan_exclude: [gen]\n' })
    expect(exclude.text(await exclude.run({ ...options, list: true, paths: [] }, context(root)), view)).toBe('gen')
    const told = context(root)
    await exclude.run({ ...options, paths: ['absent', '*.lock'] }, told)
    expect(told.notices).toEqual(['absent does not exist now.'])
    for (const [input, code] of [
      [{ ...options, paths: [] }, 'USAGE'],
      [{ ...options, list: true, paths: ['a'] }, 'USAGE'],
      [{ ...options, paths: ['../x'] }, 'PATH_ESCAPES'],
      [{ ...options, paths: ['.'] }, 'INPUT_INVALID'],
    ] as const)
      expect((await refusal(() => exclude.run({ ...input, paths: [...input.paths] }, context(root)))).code).toBe(code)
  })
})
