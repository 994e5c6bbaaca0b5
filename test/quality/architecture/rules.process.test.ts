import { describe, expect, it } from 'vitest'
import { project } from '../../made/project.ts'
import { checkArch, short } from './check-arch.ts'

const SHOP = {
  'src/ui/page.ts':
    "import { order } from '../domain/order'\nimport { query } from '../db/query'\nexport const page = order + query\n",
  'src/domain/order.ts':
    "import { query } from '../db/query'\nimport type { page } from '../ui/page'\nexport const order = query\nexport type Page = typeof page\n",
  'src/db/query.ts': "import pg from 'pg'\nexport const query = pg\n",
  'src/lonely.ts': 'export const alone = 1\n',
  'package.json': '{ "name": "shop", "dependencies": { "pg": "1.0.0" } }\n',
}

const check = async (rules: string, more: Record<string, string> = {}) =>
  checkArch(project({ ...SHOP, ...more, 'architecture.yaml': rules }))

describe('layers', () => {
  const LAYERS =
    'layers:\n  - { name: ui, paths: "src/ui/**", imports: [domain] }\n  - { name: domain, paths: src/domain/**, reason: "Orders know no page." }\n  - { name: db, paths: src/db/** }\n'

  it('report an import of a layer above, type-only ones too, with the reason and the imported module', async () => {
    const { violations, passed } = await check(LAYERS)
    expect(passed).toBe(false)
    expect(violations.find(({ file }) => file === 'src/domain/order.ts')).toMatchObject({
      ...{ rule: 'layers', line: 2, imported: '../ui/page', target: 'src/ui/page.ts', reason: 'Orders know no page.' },
      message: 'The layer domain imports the layer ui, which is above it.',
    })
  })

  it('report an import of a layer below that the layer does not list', async () => {
    const { violations } = await check(LAYERS)
    expect(short(violations)).toEqual([
      'layers src/domain/order.ts:2 src/ui/page.ts',
      'layers src/ui/page.ts:2 src/db/query.ts',
    ])
  })
})

describe('forbidden imports', () => {
  it('are reported by file and by package', async () => {
    const { violations } = await check(
      'forbidden:\n  - { name: no-db-in-ui, from: src/ui/**, to: src/db/**, reason: "Pages ask the domain." }\n  - { name: no-pg, from: "**", packages: [pg, "@pg/*"], severity: critical }\n',
    )
    expect(short(violations)).toEqual(['no-pg src/db/query.ts:1 pg', 'no-db-in-ui src/ui/page.ts:2 src/db/query.ts'])
    expect(violations[0]!.severity).toBe('critical')
  })

  it('can be limited to kinds of import', async () => {
    const { violations } = await check(
      'forbidden:\n  - { name: no-ui, from: src/domain/**, to: src/ui/**, kinds: [import, dynamic] }\n',
    )
    expect(violations).toEqual([])
  })
})

describe('allowed imports', () => {
  it('report every other file, and packages only where the rule names some', async () => {
    const { violations } = await check(
      'allowed:\n  - { name: ui-imports, from: src/ui/**, to: [src/ui/**, src/domain/**] }\n  - { name: db-imports, from: src/db/**, packages: mysql }\n',
    )
    expect(short(violations)).toEqual([
      'db-imports src/db/query.ts:1 pg',
      'ui-imports src/ui/page.ts:2 src/db/query.ts',
    ])
  })
})

describe('cycles', () => {
  it('do not count imports of types alone, unless they are asked for', async () => {
    expect((await check('cycles:\n')).violations).toEqual([])
    const { violations } = await check('cycles:\n  type_only: true\n')
    expect(violations.map(({ file, line, cycle }) => [file, line, cycle])).toEqual([
      ['src/domain/order.ts', 2, ['src/domain/order.ts', 'src/ui/page.ts']],
      ['src/ui/page.ts', 1, ['src/ui/page.ts', 'src/domain/order.ts']],
    ])
  })

  it('can be those between directories', async () => {
    const { violations } = await check('cycles:\n  folders: src/*\n', {
      'src/db/back.ts': "import '../domain/order'\n",
    })
    expect(violations.map(({ file, cycle }) => [file, cycle])).toEqual([
      ['src/db/back.ts', ['src/db', 'src/domain']],
      ['src/domain/order.ts', ['src/domain', 'src/db']],
    ])
  })
})

describe('orphans', () => {
  it('are files without any import in either direction', async () => {
    expect(short((await check('orphans:\n')).violations)).toEqual(['orphans src/lonely.ts:1'])
  })

  it('are files that no entry point reaches, where entry points are named', async () => {
    const { violations } = await check('orphans:\n  entries: src/domain/order.ts\n', {
      'src/other.ts': "import './lonely'\n",
    })
    expect(short(violations)).toEqual(['orphans src/lonely.ts:1', 'orphans src/other.ts:1'])
  })
})

describe('the public API of a directory', () => {
  it('is its index file, or the files that the rule names', async () => {
    const more = {
      'src/pay/index.ts': "export * from './card'\n",
      'src/pay/card.ts': 'export const card = 1\n',
      'src/buy.ts': "import './pay'\nimport './pay/card'\n",
    }
    expect(short((await check('public_api:\n  - folder: src/pay\n', more)).violations)).toEqual([
      'public-api src/buy.ts:2 src/pay/card.ts',
    ])
    expect((await check('public_api:\n  - { folder: src/pay, entry: "*.ts" }\n', more)).violations).toEqual([])
  })
})

describe('limits', () => {
  it('count each importing and each imported file once', async () => {
    const { violations } = await check(
      'limits:\n  - { fan_in: 1 }\n  - { name: narrow, paths: src/ui/**, fan_out: 1 }\n',
    )
    expect(violations.map(({ rule, file, message }) => [rule, file, message])).toEqual([
      ['limits', 'src/db/query.ts', '2 files import src/db/query.ts; the limit is 1.'],
      ['narrow', 'src/ui/page.ts', 'src/ui/page.ts imports 2 files; the limit is 1.'],
    ])
  })
})

describe('stable dependencies', () => {
  it('report an import of a directory that is less stable', async () => {
    // lib: nothing imports out, 2 import it: 0. core: 1 out (c), 1 in (a): 0.5. app: 1 out, 0 in... core imports app: app has 1 in, 2 out: 0.67.
    const root = project({
      'core/c.ts': "import '../app/a'\n",
      'app/a.ts': "import '../lib/l'\n",
      'app/b.ts': "import '../lib/l'\n",
      'lib/l.ts': 'export {}\n',
      'user/u.ts': "import '../core/c'\n",
      'architecture.yaml': 'stable_dependencies:\n  folders: "*"\n',
    })
    const { violations } = await checkArch(root)
    expect(violations.map(({ message }) => message)).toEqual([
      'core (instability 0.50) imports app (instability 0.67), which is less stable.',
    ])
  })
})

describe('unresolved imports', () => {
  it('are listed with the reason, and are violations only by a rule', async () => {
    const more = { 'src/broken.ts': "import './nowhere'\nimport 'not-declared'\nimport(name)\n" }
    const { violations, unresolved, unresolved_counts } = await check('orphans: { paths: none }\n', more)
    expect(violations).toEqual([])
    expect(unresolved_counts).toEqual({ missing: 2, computed: 1, outside: 0 })
    expect(unresolved.map(({ line, specifier, state }) => [line, specifier, state])).toEqual([
      [1, './nowhere', 'missing'],
      [2, 'not-declared', 'missing'],
      [3, 'name', 'computed'],
    ])
    expect(short((await check('unresolved:\n', more)).violations)).toEqual([
      'unresolved src/broken.ts:1',
      'unresolved src/broken.ts:2',
    ])
  })
})
