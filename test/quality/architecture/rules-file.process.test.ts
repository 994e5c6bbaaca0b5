import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../made/call.ts'
import { project } from '../../made/project.ts'
import { checkArch } from './check-arch.ts'

const refused = async (rules: string) => {
  const error = await refusal(() => checkArch(project({ 'a.ts': 'export {}\n', 'architecture.yaml': rules })))
  return { code: error.code, message: error.message, place: error.place }
}

describe('architecture.yaml', () => {
  it.each([
    ['layer:\n  - x\n', 1, 'layer is not a known field; did you mean layers?'],
    ['cycles:\n  type_onli: true\n', 2, 'cycles.type_onli is not a known field; did you mean type_only?'],
    ['forbidden:\n  - name: a\n    from: "src/[a"\n    to: b\n', 3, '"src/[a" has a `[` that is never closed'],
    ['orphans:\n  except: ["!a.ts"]\n', 2, 'cannot begin with `!`'],
    ['orphans:\n  except: /a.ts\n', 2, "must begin at the repository's root"],
    ['limits:\n  - fan_out: many\n', 2, 'limits.0.fan_out must be a count of files, but was "many"'],
    ['limits:\n  - paths: a\n', 2, 'needs fan_in, fan_out, or both'],
    ['forbidden:\n  - name: a\n    from: b\n', 2, 'a needs to (globs of files), packages, or both'],
    [
      'layers:\n  - { name: ui, paths: a, imports: [domian] }\n  - { name: domain, paths: b }\n',
      2,
      'There is no layer "domian"; did you mean domain?',
    ],
    ['cycles: { severity: hihg }\n', 1, 'did you mean high?'],
    ['forbidden:\n  - { name: cycles, from: a, to: b }\n', 2, 'The name cycles is that of a built-in rule'],
    ['layers: [\n', 2, 'The YAML cannot be parsed'],
  ])('is refused with the line and what was meant: %j', async (rules, line, message) => {
    const error = await refused(rules)
    expect(error.code).toBe('CONFIG_INVALID')
    expect(error.message).toContain(message)
    expect(error.place).toMatchObject({ file: 'architecture.yaml', line })
  })

  it.each(['layers: []\n', '', 'include: "**"\n', '{}\n'])('is refused where it has no rule: %j', async rules => {
    const error = await refused(rules)
    expect([error.code, error.message]).toEqual([
      'CONFIG_INVALID',
      'architecture.yaml has no rule that can be checked.',
    ])
  })

  it('is named with the globs that match nothing', async () => {
    const rules = [
      'exclude: ["old/**", "a.ts"]',
      'layers:\n  - { name: ui, paths: ["src/ui/**", "src/pages/**"] }',
      'public_api:\n  - { folder: src/*, entry: main.ts }\n  - { folder: lib/* }',
      'forbidden:\n  - { name: no-x, from: "src/**", to: "gone/**", packages: nothing }',
    ]
    const root = project({ 'a.ts': '', 'src/ui/b.ts': 'export {}\n', 'architecture.yaml': rules.join('\n') })
    const { notices, passed } = await checkArch(root)
    expect(passed).toBe(true)
    expect(notices).toEqual([
      'exclude: "old/**" matches no file.',
      'layers.0.paths: "src/pages/**" matches no file.',
      'public_api.1.folder: "lib/*" matches no directory.',
      'forbidden.0.to: "gone/**" matches no file.',
    ])
  })

  it('is missed with the command that writes it', async () => {
    const error = await refusal(() => checkArch(project({ 'a.ts': 'export {}\n' })))
    expect([error.code, error.hint]).toEqual(['NOT_FOUND', expect.stringContaining('svc check-arch --init')])
  })
})

describe('--init', () => {
  it('writes rules that the present structure meets, cycles and orphans included', async () => {
    const root = project({
      'src/ui/a.ts': "import '../core/b'\n",
      'src/core/b.ts': "import './c'\n",
      'src/core/c.ts': "import './b'\n",
      'src/[id]/lonely.ts': 'export {}\n',
      'test/a.test.ts': "import '../src/ui/a'\n",
    })
    const first = await checkArch(root, { init: true })
    expect([first.passed, first.written]).toEqual([true, 'architecture.yaml'])
    const text = readFileSync(join(root, 'architecture.yaml'), 'utf8')
    for (const part of [
      '- name: test',
      'src/core/b.ts',
      'no-imports-of-tests',
      'fan_out: 1',
      String.raw`src/\\[id\\]/lonely.ts`,
    ])
      expect(text).toContain(part)
    expect((await checkArch(root)).violations).toEqual([])
  })

  it('replaces no rules', async () => {
    const root = project({ 'a.ts': 'export {}\n', 'architecture.yaml': 'cycles:\n' })
    const error = await refusal(() => checkArch(root, { init: true }))
    expect(error.code).toBe('CONFLICT')
    expect(readFileSync(join(root, 'architecture.yaml'), 'utf8')).toBe('cycles:\n')
  })

  it('writes nothing where no imports can be read', async () => {
    const root = project({ 'a.txt': 'x\n' })
    expect((await refusal(() => checkArch(root, { init: true }))).code).toBe('NOTHING_TO_SCAN')
    expect(existsSync(join(root, 'architecture.yaml'))).toBe(false)
  })
})
