import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkPack } from '../../../engine/sources/packs/import/check.ts'
import { makeDraft } from '../../../engine/sources/packs/import/import.ts'
import { importDraft } from '../../../engine/sources/packs/import/run.ts'
import { parseSource, readSource } from '../../../engine/sources/packs/import/source.ts'
import { readWrittenLibraries } from '../../../engine/sources/packs/libraries/own.ts'
import { loadBuiltinPacks, loadPacks } from '../../../engine/sources/packs/load.ts'
import { formatPack, formatYaml } from '../../../engine/sources/packs/pack-file.ts'
import { context, refusal } from '../../made/call.ts'
import { repository } from '../../made/project.ts'
import fc from '../../made/property.ts'
import { ROOT } from '../../root.ts'
import { packWith, wordRuleData } from './pack-samples.ts'

const importText = (
  root: string,
  text: string,
  { overwrite = false, enable = false, id }: { overwrite?: boolean; enable?: boolean; id?: string } = {},
) => importDraft(makeDraft(parseSource(text, 'pack.yaml'), { id }), { overwrite, enable }, context(root))
const packFile = (rules: readonly Record<string, unknown>[], more: Record<string, unknown> = {}) =>
  formatYaml({ id: 'acme', version: '1.0.0', name: 'Acme', description: 'House rules.', ...more, rules })
const untouched = (root: string) => (existsSync(join(root, '.svc')) ? readdirSync(join(root, '.svc')) : [])

describe('export and import', () => {
  test.each([
    ['names a language that is found', { languages: ['python'] }, false, true],
    ['names no language', {}, false, false],
    ['names no language and is switched on', {}, true, true],
  ])('it is said whether scans use a pack that %s', async (_, more, enable, on) => {
    const root = repository({ 'a.py': 'x = 1\n' })
    expect((await importText(root, await packFile([wordRuleData('alpha')], more), { enable })).enabled).toBe(on)
  })

  test('a pack that was on is said to be on when it is imported again', async () => {
    const root = repository({ 'a.py': 'x = 1\n' })
    await importText(root, await packFile([wordRuleData('alpha')]), { enable: true })
    expect((await importText(root, await packFile([wordRuleData('alpha')]), { overwrite: true })).enabled).toBe(true)
  })

  test('every built-in pack comes back as it was', async () => {
    for (const pack of loadBuiltinPacks()) {
      const text = await formatPack({
        ...pack,
        rules: pack.rules.filter(({ type }) => type === 'ast').slice(0, 3),
        controls: [],
      })
      const draft = makeDraft(parseSource(text, 'pack.yaml'), {})
      const { pack: back } = await checkPack(draft, [])
      expect(await formatPack(back), pack.id).toBe(text)
    }
  })

  test('a syntax rule is exported with the expressions of its file, not with those that run in their place', async () => {
    for (const id of ['python', 'go', 'ruby-rails']) {
      const exported = parse(await formatPack(loadBuiltinPacks().find(pack => pack.id === id)!))
      for (const rule of exported.rules as Record<string, unknown>[]) {
        if (rule.type !== 'ast') continue
        const file = parse(readFileSync(join(ROOT, 'packs', id, 'rules', `${rule.id}.yaml`), 'utf8'))
        for (const key of ['rule', 'constraints', 'utils']) expect(rule[key], `${rule.id} ${key}`).toEqual(file[key])
      }
    }
  })

  test("a syntax rule of the repository's own is exported as it was written too", async () => {
    const root = repository()
    const syntax = { kind: 'call', regex: '^harm|\\bdo_harm' }
    const data = wordRuleData('alpha', {
      type: 'ast',
      languages: ['python'],
      regex: undefined,
      ignore_case: undefined,
      contexts: undefined,
      rule: syntax,
      literals: ['harm'],
      match: ['harm(1)'],
      clean: ['safe(1)'],
    })
    await importText(root, await packFile([data]))
    const own = (await loadPacks(root)).find(({ id }) => id === 'acme')!
    expect(parse(await formatPack(own)).rules[0].rule).toEqual(syntax)
    expect(own.rules[0]).not.toMatchObject({ rule: syntax })
  })

  test('any pack of words comes back as it was, whatever its texts hold', async () => {
    const text = fc
      .string({ minLength: 1, unit: fc.constantFrom(...'aZ9 :#-"\'\n|>&*!%@`{}[],?ä😀'.split('')) })
      .filter(each => each.trim() !== '')
    await fc.assert(
      fc.asyncProperty(text, text, fc.constantFrom('critical', 'low', 'info'), async (title, remediation, severity) => {
        const pack = packWith([wordRuleData('alpha', { title, remediation, severity })], { name: title })
        const { pack: back } = await checkPack(makeDraft(parseSource(await formatPack(pack), 'p.yaml'), {}), [])
        expect(back).toEqual(pack)
      }),
      { numRuns: 40 },
    )
  })

  test('an imported pack is loaded by the next scan, under the id that was asked for', async () => {
    const root = repository()
    const report = await importText(root, await packFile([wordRuleData('alpha')]), { id: 'house', enable: true })
    expect(report).toMatchObject({ id: 'house', path: '.svc/packs/house', rules: ['acme-alpha'], enabled: true })
    expect((await loadPacks(root)).find(({ id }) => id === 'house')?.rules).toHaveLength(1)
    expect(readFileSync(join(root, '.svc/config.yaml'), 'utf8')).toContain('- house')
  })

  test('a pack that is there is replaced only where that is asked for', async () => {
    const root = repository()
    await importText(root, await packFile([wordRuleData('alpha')]))
    const next = await packFile([wordRuleData('bravo')], { version: '2.0.0' })
    expect(await refusal(() => importText(root, next))).toMatchObject({ code: 'CONFLICT' })
    await importText(root, next, { overwrite: true })
    expect(readdirSync(join(root, '.svc/packs/acme/rules'))).toEqual(['acme-bravo.yaml'])
    expect(untouched(root)).toEqual(['packs'])
  })

  test('a folder with pack.yaml and rule files is a pack', async () => {
    const root = repository()
    const folder = join(root, 'src-pack/rules')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, '../pack.yaml'), 'id: acme\nversion: 1.0.0\nname: Acme\ndescription: House rules.\n')
    writeFileSync(join(folder, 'acme-alpha.yaml'), await formatYaml(wordRuleData('alpha')))
    const draft = makeDraft(await readSource('src-pack', context(root)), {})
    expect(await importDraft(draft, { overwrite: false, enable: false }, context(root))).toMatchObject({
      rules: ['acme-alpha'],
    })
  })
})

describe('a pack with libraries', () => {
  const LIBRARY = `library: Acme
languages: [python]
sinks: [{ kind: shell, calls: [acme.launch], arguments: [0] }]
sanitizers: [{ calls: [acme.quote], for: [shell] }]
match: ["import acme\\nfrom flask import request\\ndef f():\\n    acme.launch(request.args['a'])\\n"]
clean: ["import acme\\nfrom flask import request\\ndef f():\\n    acme.launch(acme.quote(request.args['a']))\\n"]
`
  const HEAD = 'id: acme\nversion: 1.0.0\nname: Acme\ndescription: House libraries.\n'
  const make = async (root: string, library = LIBRARY) => {
    mkdirSync(join(root, 'src-pack/libraries'), { recursive: true })
    writeFileSync(join(root, 'src-pack/pack.yaml'), HEAD)
    writeFileSync(join(root, 'src-pack/libraries/acme.yaml'), library)
    return makeDraft(await readSource('src-pack', context(root)), {})
  }

  test('is validated, installed and shown, with the entries that no file here uses, and exported with them', async () => {
    const root = repository({ 'a.py': 'import acme\nacme.launch("a")\n' })
    const report = await importDraft(await make(root), { overwrite: false, enable: false }, context(root))
    expect(report.libraries).toEqual([
      { name: 'Acme', entries: { sanitizers: 1, sinks: 1 }, silencing: 1, unused: ['acme.quote'] },
    ])
    expect(parse(readFileSync(join(root, '.svc/packs/acme/libraries/acme.yaml'), 'utf8'))).toEqual(parse(LIBRARY))
    const exported = await formatPack(
      (await loadPacks(root)).find(({ id }) => id === 'acme')!,
      await readWrittenLibraries(root, 'acme'),
    )
    expect(parse(exported).libraries).toEqual([parse(LIBRARY)])
    const again = await importText(root, exported, { overwrite: true })
    expect(again.libraries).toEqual(report.libraries)
  })

  test.each([
    ['an unknown field', LIBRARY.replace('kind: shell,', 'kind: shell, colour: red,'), /colour is not a known field/],
    ['an example that fails', LIBRARY.replace('acme.quote(request', 'acme.other(request'), /a clean example fails/],
  ])('is refused for %s, and nothing is written', async (_, library, message) => {
    const root = repository()
    const draft = await make(root, library)
    const { faults } = await refusal(() => importDraft(draft, { overwrite: false, enable: false }, context(root)))
    expect(faults.map(fault => fault.message).join('\n')).toMatch(message)
    expect(untouched(root)).toEqual([])
  })
})

describe('import refuses', () => {
  const cases: [string, () => Promise<string>, RegExp, string][] = [
    [
      'an unknown key',
      () => packFile([wordRuleData('alpha', { colour: 'red' })]),
      /colour is not a known field/,
      'colour:',
    ],
    [
      'an expression of more than 2,000 characters',
      () => packFile([wordRuleData('alpha', { regex: `alpha${'x?'.repeat(1000)}` })]),
      /2,000 characters/,
      'regex:',
    ],
    [
      'an expression that can backtrack without bound',
      () => packFile([wordRuleData('alpha', { regex: '(a|a|alpha)*$x' })]),
      /backtrack without bound/,
      'regex:',
    ],
    [
      'an expression that does not compile',
      () => packFile([wordRuleData('alpha', { regex: '(alpha' })]),
      /not a regular expression/,
      'regex:',
    ],
    [
      'an example that fails',
      () => packFile([wordRuleData('alpha', { clean: ['the alpha'] })]),
      /a clean example fails/,
      '- the alpha',
    ],
    [
      'the same rule twice',
      () => packFile([wordRuleData('alpha'), wordRuleData('alpha')]),
      /twice in the pack/,
      'id: acme-alpha',
    ],
    [
      'the id of a built-in pack',
      () => packFile([wordRuleData('alpha')], { id: 'secrets' }),
      /a pack secrets exists already/,
      'id: secrets',
    ],
    [
      'an alias bomb',
      async () =>
        `a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c]\n`,
      /aliases expand to more/,
      'b: &b',
    ],
    ['what is no YAML', async () => 'id: acme\nrules: [', /cannot be parsed/, 'rules: ['],
    ['what is no pack', async () => 'hello: world\n', /no format/, 'hello'],
  ]
  test.each(cases)('%s, with its place, and writes nothing', async (_name, text, message, at) => {
    const root = repository()
    const written = await text()
    const error = await refusal(() => importText(root, written))
    expect(error.code).toBe('PACK_INVALID')
    const fault = error.faults.find(each => message.test(each.message))
    expect(fault, JSON.stringify(error.faults)).toBeDefined()
    const { file, line, column } = fault!.place!
    expect({ file, column }).toEqual({ file: 'pack.yaml', column: expect.any(Number) })
    expect(written.split('\n')[line! - 1]).toContain(at)
    expect(untouched(root)).toEqual([])
  })

  test('the id of a rule that another pack has', async () => {
    const taken = loadBuiltinPacks().flatMap(({ rules }) => rules)[0]!
    const root = repository()
    const error = await refusal(async () => importText(root, await packFile([wordRuleData('alpha', { id: taken.id })])))
    expect(error.message).toContain(`in the pack ${taken.pack_id} already`)
  })

  test('a pack of a tier that no licence covers', async () => {
    const root = repository()
    const error = await refusal(async () =>
      importText(root, await packFile([wordRuleData('alpha')], { tier: 'enterprise' })),
    )
    expect(error.code).toBe('FORBIDDEN')
    expect(untouched(root)).toEqual([])
  })
})
