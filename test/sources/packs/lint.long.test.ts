import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseSource, readSource } from '../../../engine/sources/packs/import/source.ts'
import { lintPack } from '../../../engine/sources/packs/lint/lint.ts'
import { loadBuiltinPacks } from '../../../engine/sources/packs/load.ts'
import type { Pack } from '../../../engine/sources/packs/pack.ts'
import { addSharedUtils, readSharedUtils } from '../../../engine/sources/packs/shared-utils.ts'
import { ROOT } from '../../root.ts'
import { packOf, ruleOf } from './made.ts'

/** Enough for nearly every expression there; the rest is for `svc lint-pack` itself. */
const REGEX_MS = 60

const examples = (mark = 'harm') => `
    match: ['${mark}(1)', 'x = ${mark}(2)', 'call ${mark}(3)']
    clean: ['safe(1)', 'x = 2', 'none']`

/** A pack of one rule; `rule` has further lines of it. */
function technical(rule: string, tail = examples()): string {
  return `id: acme
version: 1.0.0
name: Acme
description: Rules.
languages: [python]
rules:
  - id: acme-harm
    type: regex
    title: A call does damage
    message: Whoever calls it breaks things.
    severity: low
    languages: [python]
    contexts: [code]
    remediation: Do not.
    ${rule}${tail}
`
}

/** A framework pack with these controls, and further lines. */
function framework(controls: string, more = ''): string {
  return `id: fw
version: 1.0.0
name: FW
description: A framework.
framework: { id: fw, name: FW, edition: '1', date: '2024', source: https://example.org/fw }
${more}controls:
${controls}
`
}

/** `regex_ms` is ample, so that an expression is judged on a busy machine too. */
async function lint(text: string, packs: readonly Pack[] = []) {
  const source = { source: parseSource(text, 'acme.yaml'), texts: new Map([['acme.yaml', text]]), packs }
  return lintPack(source, 20_000)
}
const checks = async (text: string, packs?: readonly Pack[]) =>
  (await lint(text, packs)).problems.map(({ check }) => check)

describe('rules', () => {
  test('a sound rule has no problem', async () => {
    expect(await checks(technical("regex: 'harm\\('"))).toEqual([])
  })

  test('what the format does not allow is a problem with line and column', async () => {
    const { problems } = await lint(technical("regex: 'harm\\('\n    colour: red"))
    expect(problems).toMatchObject([{ check: 'invalid', file: 'acme.yaml', line: 16, column: 5 }])
  })

  test('too few examples are named, each kind for itself', async () => {
    const few = "\n    match: ['harm(1)']\n    clean: ['safe(1)', 'x', 'y']"
    expect(await lint(technical("regex: 'harm\\('", few))).toMatchObject({
      problems: [{ check: 'few-examples', on: 'acme-harm', line: 16 }],
    })
  })

  test('an example that does not hold is pointed at', async () => {
    const broken = "\n    match: ['harm(1)', 'harm(2)', 'other(3)']\n    clean: ['safe(1)', 'x', 'y']"
    const { problems } = await lint(technical("regex: 'harm\\('", broken))
    expect(problems.map(({ check, line, column }) => [check, line, column])).toEqual([['example-broken', 16, 35]])
  })

  test('a rule without a required literal is named', async () => {
    const any = "\n    match: ['a1', 'b2', 'c3']\n    clean: ['1', '2', '3']"
    expect(await checks(technical("regex: '[a-z]\\d'", any))).toEqual(['no-literal'])
  })

  test('an expression that takes exponential time is named with a text that shows it', async () => {
    const { problems } = await lint(technical("regex: '(h+)+arm\\('"))
    expect(problems.map(({ check }) => check)).toEqual(['slow-regex'])
    expect(problems[0]!.message).toContain('h')
  })

  test('a pattern that matches comments as code is named', async () => {
    expect(await checks(technical("regex: 'harm\\('").replace('    contexts: [code]\n', ''))).toEqual([
      'fires-on-comment',
    ])
  })

  test('a pattern for every file that finds its own file and its own title is named for both', async () => {
    const anywhere = technical("regex: 'does damage|harm\\('")
      .replace('languages: [python]\n    contexts: [code]', 'languages: [any]\n    literals: [harm, damage]')
      .replace('languages: [python]\n', '')
    expect([...(await checks(anywhere))].sort()).toEqual(['fires-on-itself', 'fires-on-prose'])
  })

  test('a glob that takes every path is named at its place', async () => {
    const { problems } = await lint(technical("regex: 'harm\\('\n    files: ['src/**', '**/*']"))
    expect(problems).toMatchObject([{ check: 'broad-glob', line: 16, column: 23 }])
  })

  test('a rule that looks for the same as one of another pack is named with it', async () => {
    const twin = ruleOf('other-harm', { languages: ['python'], regex: 'harm\\(', contexts: ['code'] })
    const { problems } = await lint(technical("regex: 'harm\\('"), [packOf('tech', { rules: [twin] })])
    expect(problems).toMatchObject([{ check: 'duplicate-rule' }])
    expect(problems[0]!.message).toContain('other-harm')
  })
})

describe('controls', () => {
  const rules = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(letter => ruleOf(`tech-${letter}`, { tags: ['known'] }))
  const packs = [packOf('tech', { languages: ['any'], rules })]
  const control = (id: string, map: string) =>
    `  - { id: '${id}', title: Title ${id}, meaning: It is so., maps: [{ ${map} }] }`
  const why = 'why: It bears on it plainly.'

  test('a sound framework has no problem', async () => {
    expect(await checks(framework(control('C1', `rules: [tech-a], ${why}`)), packs)).toEqual([])
  })

  test('a mapping that only repeats the title, or says next to nothing, lacks its reason', async () => {
    const two = [control('C1', 'rules: [tech-a], why: Title C1'), control('C2', 'rules: [tech-b], why: Yes')].join('\n')
    expect(await checks(framework(two), packs)).toEqual(['no-rationale', 'no-rationale'])
  })

  test('a mapping to a rule or tag that does not exist is pointed at', async () => {
    const { problems } = await lint(framework(control('C1', `rules: [tech-a, tech-z], tags: [odd], ${why}`)), packs)
    expect(problems.map(({ check, line, message }) => [check, line, message])).toEqual([
      ['unknown-control', 7, 'no rule tech-z'],
      ['unknown-control', 7, 'no rule has the tag odd'],
    ])
  })

  test('an obligation for a control that does not exist is named', async () => {
    const duty = "obligations: [{ id: o1, control: C9, title: Duty, evidence: It., files: ['**'] }]\n"
    const text = framework(control('C1', `rules: [tech-a], ${why}`), duty)
    expect([...(await checks(text, packs))].sort()).toEqual(['broad-glob', 'unknown-control'])
  })

  test('a heading with mappings of its own is named beside its clauses', async () => {
    const both = [control('6', `rules: [tech-a], ${why}`), control('6.1', `rules: [tech-b], ${why}`)].join('\n')
    expect(await lint(framework(both), packs)).toMatchObject({ problems: [{ check: 'header-clause', on: '6' }] })
  })

  test('a control that nothing bears on is named', async () => {
    expect(await checks(framework('  - { id: C1, title: T, meaning: It is so. }'), packs)).toEqual(['empty-control'])
  })

  test('ids that are given twice are named', async () => {
    const twice = [control('C1', `rules: [tech-a], ${why}`), control('C1', `rules: [tech-b], ${why}`)].join('\n')
    expect(await checks(framework(twice), packs)).toEqual(['duplicate-id'])
  })

  test('more than a fifth of the mappings on one control is named, unless the pack says why it must be so', async () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map(letter => control(`C-${letter}`, `rules: [tech-${letter}], ${why}`))
    const heavy = control('C-all', `tags: [known], ${why}`)
    const text = framework([...many, heavy].join('\n'))
    expect(await lint(text, packs)).toMatchObject({ problems: [{ check: 'concentrated-control', on: 'C-all' }] })
    const excepted = framework(
      [...many, heavy].join('\n'),
      'lint_exceptions: [{ check: concentrated-control, on: [C-all], reason: There is one such control. }]\n',
    )
    expect(await lint(excepted, packs)).toMatchObject({
      problems: [],
      accepted: [{ reason: 'There is one such control.' }],
    })
  })

  test('an exception that nothing needs is a problem itself', async () => {
    const text = framework(
      control('C1', `rules: [tech-a], ${why}`),
      'lint_exceptions: [{ check: no-rationale, reason: It was so once. }]\n',
    )
    expect(await checks(text, packs)).toEqual(['unused-exception'])
  })
})

describe('rules that follow input', () => {
  const rule = (id: string, cleaner: string) => `  - id: ${id}
    type: taint
    title: Input reaches harm
    message: Whoever sends it breaks things.
    severity: low
    languages: [python]
    class: harm
    sources: [request]
    cleaners: [{ calls: [${cleaner}] }]
    sinks: [{ calls: [harm] }]
    remediation: Do not.
    match: ['harm(1)']
    clean: ['safe(1)']
`
  const pack = (...rules: string[]) =>
    `id: acme\nversion: 1.0.0\nname: Acme\ndescription: Rules.\nlanguages: [python]\nrules:\n${rules.join('')}`
  const twins = async (text: string) => (await checks(text)).filter(check => check === 'duplicate-rule')

  test('look for the same where they say the same', async () => {
    expect(await twins(pack(rule('acme-one', 'clean'), rule('acme-two', 'clean')))).toEqual(['duplicate-rule'])
  })

  test('look for something else where something else cleans', async () => {
    expect(await twins(pack(rule('acme-one', 'clean'), rule('acme-two', 'scrub')))).toEqual([])
  })
})

describe('the packs that come with svc', () => {
  // The build ends where an example of theirs fails, so that they are not run a second time here.
  test('have no problem that they do not accept with a reason', async () => {
    const folder = join(ROOT, 'packs')
    const found: string[] = []
    for (const id of readdirSync(folder).filter(name => existsSync(join(folder, name, 'pack.yaml')))) {
      const read = await readSource(join(folder, id), { cwd: ROOT } as never)
      const utils = await readSharedUtils(join(folder, id), id)
      const documents = read.documents
        .filter(({ file }) => basename(file) !== 'utility-rules.yaml')
        .map(document => ({ ...document, data: addSharedUtils(document.data, utils) }))
      const source = { ...read, documents }
      const names = new Set(documents.map(({ file }) => file))
      const texts = new Map([...names].map(name => [name, readFileSync(name, 'utf8')]))
      const { problems } = await lintPack({ source, texts, packs: loadBuiltinPacks(), isProven: true }, REGEX_MS)
      found.push(...problems.map(({ file, line, check, message }) => `${file}:${line} ${check}: ${message}`))
    }
    expect(found).toEqual([])
  }, 480_000)
})
