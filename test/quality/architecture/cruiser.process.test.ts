import { describe, expect, it } from 'vitest'
import { refusal } from '../../made/call.ts'
import { project } from '../../made/project.ts'
import { checkArch, short } from './check-arch.ts'

const SHOP = {
  'src/ui/page.ts': "import { order } from '../domain/order'\nexport const page = order\n",
  'src/domain/order.ts':
    "import { join } from 'node:path'\nimport pg from 'pg'\nimport type { page } from '../ui/page'\nexport const order = [join, pg]\nexport type Page = typeof page\n",
  'src/domain/a.ts': "import { b } from './b'\nexport const a = () => b\n",
  'src/domain/b.ts': "import { a } from './a'\nexport const b = () => a\n",
  'src/lonely.ts': 'export const alone = 1\n',
  'package.json': '{ "name": "shop", "dependencies": { "pg": "1.0.0" } }\n',
}

const check = (configuration: Record<string, string>) => checkArch(project({ ...SHOP, ...configuration }))
const checkJson = (value: object) => check({ '.dependency-cruiser.json': JSON.stringify(value) })

describe('a dependency-cruiser configuration', () => {
  it('forbids imports by expressions over both ends, with the comment as the reason and the level as severity', async () => {
    const { violations, rules } = await checkJson({
      forbidden: [
        {
          ...{ name: 'no-database', severity: 'error', comment: 'The domain knows no database.' },
          from: { path: '^src/domain/', pathNot: '/b[.]ts$' },
          to: { path: ['^node_modules/pg/', '^node_modules/mysql/'] },
        },
      ],
    })
    expect(rules).toBe('.dependency-cruiser.json')
    expect(violations).toHaveLength(1)
    expect(violations[0]).toMatchObject({
      ...{ rule: 'no-database', file: 'src/domain/order.ts', line: 2, target: 'pg' },
      ...{ severity: 'high', reason: 'The domain knows no database.' },
    })
  })

  it('counts imports of types alone where tsPreCompilationDeps says so', async () => {
    const forbidden = [{ name: 'no-ui', from: { path: '^src/domain' }, to: { path: '^src/ui' } }]
    expect((await checkJson({ forbidden })).violations).toEqual([])
    const { violations } = await checkJson({ forbidden, options: { tsPreCompilationDeps: true } })
    expect(short(violations)).toEqual(['no-ui src/domain/order.ts:3 src/ui/page.ts'])
  })

  it('finds cycles, orphans and modules of Node under the names of its rules', async () => {
    const { violations } = await checkJson({
      forbidden: [
        { name: 'no-circular', severity: 'warn', from: {}, to: { circular: true } },
        { name: 'no-orphans', severity: 'info', from: { orphan: true, pathNot: '[.]d[.]ts$' }, to: {} },
        { name: 'no-core', from: { path: '^src/domain' }, to: { dependencyTypes: ['core'] } },
        { name: 'off', severity: 'ignore', from: {}, to: {} },
      ],
    })
    expect(short(violations)).toEqual([
      'no-circular src/domain/a.ts:1 src/domain/b.ts',
      'no-circular src/domain/b.ts:1 src/domain/a.ts',
      'no-core src/domain/order.ts:1 node:path',
      'no-orphans src/lonely.ts:1',
    ])
  })

  it('reports imports that no rule of allowed matches', async () => {
    const { violations } = await checkJson({
      allowed: [
        { from: { path: '^src/ui' }, to: { path: '^src/' } },
        { from: { path: '^src/domain' }, to: { pathNot: '^node_modules' } },
      ],
    })
    expect(short(violations)).toEqual(['not-in-allowed src/domain/order.ts:2 pg'])
  })

  it('leaves out files by exclude', async () => {
    const { violations } = await checkJson({
      forbidden: [{ name: 'no-circular', from: {}, to: { circular: true } }],
      options: { exclude: { path: 'domain/a' } },
    })
    expect(violations).toEqual([])
  })

  it('lists what has no counterpart, and checks the rest', async () => {
    const { violations, untranslated } = await checkJson({
      extends: 'dependency-cruiser/configs/recommended',
      forbidden: [
        { name: 'own-package', from: { path: '^src/([^/]+)/' }, to: { pathNot: '^src/$1/' } },
        { name: 'look-ahead', from: { path: '^(?!src)' }, to: {} },
        { name: 'licenses', from: {}, to: { license: 'GPL' } },
        { name: 'no-dev', from: {}, to: { dependencyTypes: ['npm-dev'] } },
        { name: 'no-pg', from: {}, to: { path: 'node_modules/pg/' } },
      ],
      required: [{ module: {}, to: {} }],
    })
    expect(short(violations)).toEqual(['no-pg src/domain/order.ts:2 pg'])
    expect(untranslated.map(({ rule }) => rule)).toEqual([
      'extends',
      'required',
      'own-package',
      'look-ahead',
      'licenses',
      'no-dev',
    ])
  })

  it('is read from a script that is data, and never run', async () => {
    const { violations, untranslated } = await check({
      '.dependency-cruiser.cjs': [
        "const SOURCES = '^src/' + 'domain'",
        "require('fs').writeFileSync('run.txt', 'it was run')",
        "/** @type {import('dependency-cruiser').IConfiguration} */",
        'module.exports = {',
        '  forbidden: [',
        "    { name: 'no-pg', from: { path: SOURCES }, to: { path: `node_modules[/]pg` } }, // the database",
        "    { name: 'computed', from: { path: process.env.FROM }, to: {} },",
        '  ],',
        '}',
      ].join('\n'),
    })
    expect(short(violations)).toEqual(['no-pg src/domain/order.ts:2 pg'])
    expect(untranslated).toEqual([{ rule: 'computed', reason: 'it is computed by code' }])
  })

  it('gives way to architecture.yaml', async () => {
    const { rules } = await check({ '.dependency-cruiser.json': '{}', 'architecture.yaml': 'cycles: {}\n' })
    expect(rules).toBe('architecture.yaml')
  })

  it('that is not JSON, or exports nothing, is refused with its place', async () => {
    const broken = await refusal(() => check({ '.dependency-cruiser.json': '{\n  "forbidden": [,]\n}' }))
    expect(broken).toMatchObject({ code: 'CONFIG_INVALID', place: { file: '.dependency-cruiser.json', line: 2 } })
    const empty = await refusal(() => check({ '.dependency-cruiser.js': 'console.log(1)\n' }))
    expect(empty).toMatchObject({ code: 'CONFIG_INVALID', place: { file: '.dependency-cruiser.js', line: 1 } })
  })
})
