import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import lint from '../../../engine/ops/packs/lint.ts'
import lintYaml from '../../../engine/ops/packs/lint-yaml.ts'
import { surface } from '../../made/call.ts'
import { project } from '../../made/project.ts'
import { ROOT } from '../../root.ts'

const broken = `id: house
version: 1.0.0
name: House
description: Rules of the house.
framework: { id: house, name: House, edition: '2', date: '2026', source: https://example.org/house }
controls:
  - { id: H1, title: No harm, meaning: Nobody harms., maps: [{ rules: [no-such-rule], why: The rule finds it. }] }
`
const sound = broken.replace('rules: [no-such-rule]', 'cwe: [CWE-89]')

describe('svc lint-pack', () => {
  test('answers each problem with its place and exits with 1', async () => {
    const root = project({ 'house/pack.yaml': broken })
    const answer = await lint.run({ pack: 'house' }, surface(root).context)
    expect(answer).toMatchObject({
      pack_id: 'house',
      problems: [{ check: 'unknown-control', on: 'H1', file: 'house/pack.yaml', line: 7 }],
    })
    expect(lint.exit!(answer)).toBe(1)
  })

  test("names the files of a pack of the repository's own from the folder one stands in", async () => {
    const root = project({ '.svc/packs/house/pack.yaml': broken, 'src/a.txt': 'x' })
    const placesFrom = async (folder: string) =>
      (await lint.run({ pack: 'house' }, surface(join(root, folder)).context)).problems.map(({ file }) => file)
    expect(await placesFrom('.')).toEqual(['.svc/packs/house/pack.yaml'])
    expect(await placesFrom('src')).toEqual(['../.svc/packs/house/pack.yaml'])
  })

  test('checks that a rule of type llm asks one question', async () => {
    const rule = (question: string) =>
      `id: money-as-float\ntype: llm\ntitle: Money as a float\nmessage: Cents are lost.\nseverity: low\nlanguages: [javascript]\nquestion: ${JSON.stringify(question)}\nremediation: Count cents.\nmatch: ['a * 1.19', 'b += 0.1', 'c * rate']\nclean: ['119n', 'd + 1', 'e']\n`
    const pack = 'id: house\nversion: 1.0.0\nname: House\ndescription: Rules of the house.\n'
    const lintOf = async (question: string) => {
      const root = project({ 'house/pack.yaml': pack, 'house/rules/money-as-float.yaml': rule(question) })
      return (await lint.run({ pack: 'house' }, surface(root).context)).problems.map(({ check }) => check)
    }
    expect(await lintOf('Does this file compute money with floats?')).toEqual([])
    expect(await lintOf('Is it a float? Is it money?')).toEqual(['invalid'])
    expect(await lintOf('Find all floats.')).toEqual(['invalid'])
  })

  test('exits with 0 where there is no problem', async () => {
    const root = project({ '.svc/packs/house/pack.yaml': sound })
    const answer = await lint.run({ pack: 'house' }, surface(root).context)
    expect(answer).toMatchObject({ pack_id: 'house', problems: [] })
    expect(lint.exit!(answer)).toBe(0)
  })

  test('reads a pack that comes with svc by its id', async () => {
    const answer = await lint.run({ pack: 'gdpr' }, surface(project({ 'a.txt': 'x' })).context)
    expect(answer).toMatchObject({ pack_id: 'gdpr', problems: [] })
  })

  test('reads detectors of secrets by the id of their pack too', async () => {
    const answer = await lint.run({ pack: 'secrets' }, surface(project({ 'a.txt': 'x' })).context)
    expect(answer.rules).toBeGreaterThan(10)
    expect(answer.problems.filter(({ check }) => check === 'invalid')).toEqual([])
  }, 480_000)

  test('says where there is no such pack', async () => {
    const context = surface(project({ 'a.txt': 'x' })).context
    await expect(lint.run({ pack: 'gdpr2' }, context)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('refuses what is no YAML, with the place', async () => {
    const root = project({ 'pack.yaml': 'id: [\n' })
    await expect(lint.run({ pack: 'pack.yaml' }, surface(root).context)).rejects.toMatchObject({
      code: 'PACK_INVALID',
      faults: [{ place: { file: 'pack.yaml' } }],
    })
  })
})

describe('lint_pack_yaml', () => {
  test('lints a text as it was sent', async () => {
    const context = surface(project({ 'a.txt': 'x' })).context
    expect(await lintYaml.run({ yaml: broken }, context)).toMatchObject({
      problems: [{ check: 'unknown-control', file: 'pack.yaml', line: 7, message: 'no rule no-such-rule' }],
    })
    expect(await lintYaml.run({ yaml: sound }, context)).toMatchObject({ problems: [] })
  })
})

describe('the built program', () => {
  test('prints a problem as file, line and column, and exits with 1', () => {
    const root = project({ 'pack.yaml': broken })
    const svc = join(ROOT, 'dist/svc.js')
    try {
      execFileSync(process.execPath, [svc, 'lint-pack', 'pack.yaml'], { cwd: root, encoding: 'utf8' })
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ status: 1 })
      expect((error as { stdout: string }).stdout).toContain('pack.yaml:7:')
    }
  })
})
