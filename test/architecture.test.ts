import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { circlesOf, FLOORS, floorOf, importsWithin, roomGraph, upwardImports } from '../scripts/rooms.ts'
import { textOf } from './root.ts'
import { type Import, importsOf, projectFiles } from './sources.ts'

const files = projectFiles().filter(path => !path.includes('/fixtures/'))
const sources = files.filter(path => /\.(ts|mjs)$/.test(path))
const imports = sources.flatMap(path => importsOf(path, textOf(path)))
const within = importsWithin()

/** A direction in which no import may point. */
interface Arrow {
  from: RegExp
  to: RegExp
  /** Files that may do it all the same. */
  except?: RegExp
  /** Types count too, unless they alone are harmless here. */
  typesAllowed?: boolean
  because: string
}

/** Operations that read and write as they like; the pure code lies beside them. */
const OPS = /^engine\/ops\/[^/]+\//
const DETECTION = /^(engine\/detect\/|workers\/)/

const FORBIDDEN: Record<string, Arrow> = {
  'the engine knows no surface': {
    from: /^(engine|workers)\//,
    to: /^(cli|api|mcp)\//,
    because: 'a capability that knows who asks for it cannot be offered on another surface',
  },
  'a surface enters the engine by its door only': {
    from: /^(cli|api|mcp)\//,
    to: /^engine\/(?!door\/|base\/)/,
    because: 'what goes round invoke goes round the checks, the permissions and the audit log',
  },
  'the command line knows no other surface': {
    from: /^cli\//,
    to: /^(api|mcp)\//,
    except: /^cli\/serve\.ts$/,
    because: 'only serve.ts starts the servers; the rest of the command line must not pay for them',
  },
  'REST knows no other surface': {
    from: /^api\//,
    to: /^(cli|mcp)\//,
    because: 'surfaces share the manifest, not code',
  },
  'MCP knows no other surface': {
    from: /^mcp\//,
    to: /^(cli|api)\//,
    because: 'surfaces share the manifest, not code',
  },
  'nothing imports an operation but the manifest': {
    from: /./,
    to: OPS,
    // scan.stream is scan.run on a second route, which streams; it calls nothing.
    except: /^(engine\/door\/operations\.gen\.ts|engine\/ops\/scan\/stream\.ts|test\/)/,
    because: 'an operation called by another one runs with no check of its input, no permission and no audit entry',
  },
  'detection knows no store, state, configuration or judgement': {
    from: DETECTION,
    to: /^engine\/(?!base\/|detect\/|scan\/(?:batch|records|isolated|pool|runner|tasks)\.ts$|sources\/repository\/blobs\.ts$)/,
    because:
      'detection is bytes in and flat records out: it runs on any thread, and its result can be kept by the bytes alone',
  },
  'detection reads no network': {
    from: DETECTION,
    to: /^(node:(http|https|http2|net|dns|tls|dgram)|undici|fastify|@fastify\/.*)$/,
    because: 'a rule that asks the network gives another answer tomorrow, and leaks what it reads',
  },
  'detection leaves reading files to the repository': {
    from: DETECTION,
    to: /^node:(fs|fs\/promises|child_process)$/,
    // It asks where a grammar's shared library lies, and reads no file.
    except: /^engine\/detect\/syntax\/grammar\.ts$/,
    because: 'what is scanned may be an index entry or a blob: engine/base/disk/read decides, once',
  },
  'HTTP stays in api, MCP in mcp, argument parsing in cli': {
    from: /^(engine|workers)\//,
    to: /^(fastify|@fastify\/.*|@modelcontextprotocol\/.*|cac)$/,
    because: 'the engine has no argv, no request and no protocol',
  },
  'schemas are declared in operations and schema files': {
    from: /^(engine|workers|cli|api|mcp)\//,
    to: /^arktype$/,
    except: /^engine\/(ops\/[^/]+\/[^/]+|door\/operation|(?:[^/]+\/)*([a-z-]+-)?schemas?)\.ts$/,
    because:
      'ArkType is erased from the built program: a schema elsewhere would be called at run time and not be there',
  },
  'the program does not depend on its tests, benches or scripts': {
    from: /^(engine|workers|cli|api|mcp)\//,
    to: /^(test|bench|scripts)\//,
    because: 'they are not shipped',
  },
}

describe('import directions', () => {
  it.each(Object.entries(FORBIDDEN))('%s', (_, { from, to, except, typesAllowed, because }) => {
    const wrong = imports.filter(
      i => from.test(i.from) && to.test(i.to) && !except?.test(i.from) && !(typesAllowed && i.typeOnly),
    )
    expect(wrong.map(place), because).toEqual([])
  })

  it('each forbidden arrow starts at files that exist', () => {
    const idle = Object.entries(FORBIDDEN).filter(([, { from }]) => !sources.some(path => from.test(path)))
    expect(idle.map(([name]) => name)).toEqual([])
  })

  it.each(FLOORS.map(([floor, because], height) => ({ floor, because, height })))(
    'the floor $floor imports lower ones only, types included: $because',
    ({ because, height }) => {
      const own = within.filter(({ from }) => floorOf(from) === height)
      expect(own.length, 'the floor is there').toBeGreaterThan(0)
      expect(upwardImports(own).map(place), because).toEqual([])
    },
  )

  it('no rooms import each other in a circle, nor two each other', () => {
    expect(circlesOf(roomGraph(within))).toEqual([])
    // The search itself finds one.
    const circle = [
      ['gate', 'scan'],
      ['scan', 'gate'],
    ].map(([from, to]) => ({
      from: `engine/${from}/a.ts`,
      to: `engine/${to}/a.ts`,
      line: 1,
      typeOnly: true,
      lazy: false,
    }))
    expect(circlesOf(roomGraph(circle))).toEqual([['engine/gate', 'engine/scan']])
  })

  it('no files import each other in a circle', () => {
    expect(cycles(imports.filter(i => !i.typeOnly && !i.lazy))).toEqual([])
  })
})

describe('what is loaded at start', () => {
  const HEAVY =
    /^(yaml|arktype|fastify|@fastify\/.*|@duckdb\/.*|@modelcontextprotocol\/.*|@ast-grep\/.*|piscina|undici|cac)$/

  it('by the command line is its own light modules: no parser, database, server or YAML reader', () => {
    expect(closure('cli/svc.ts').filter(path => HEAVY.test(path))).toEqual([])
  })

  it('by a worker is detection alone: no store, state, configuration or surface', () => {
    const loaded = closure('workers/scan.ts')
    expect(loaded).toContain('engine/detect/file/file-scan.ts')
    expect(
      loaded.filter(path => /^(engine\/(?!base|detect|scan\/|sources\/repository)|cli|api|mcp)/.test(path)),
    ).toEqual([])
  })
})

describe('the tree', () => {
  it('has no drawer for odds and ends', () => {
    const drawer = /^(utils?|helpers?|common|misc|managers?|services?)(\.|$)/i
    expect(files.filter(path => path.split('/').some(part => drawer.test(part)))).toEqual([])
  })

  it('has no source file over 400 lines, generated ones aside', () => {
    // 300 is what to keep to; only code that is one thought is longer, since cutting it in two makes nothing plainer.
    const long = sources.filter(path => !path.includes('.gen.') && textOf(path).split('\n').length > 401)
    expect(long).toEqual([])
  })

  it('has an operation in every file of an ops folder, named as its path says', () => {
    for (const path of sources.filter(p => OPS.test(p))) {
      const id = `${path.split('/')[2]}.${basename(path, '.ts')}`
      expect(textOf(path), path).toContain(`id: '${id}'`)
      expect(textOf(path), path).toContain('export default defineOperation(')
    }
  })

  it('has only data in packs', () => {
    expect(files.filter(path => path.startsWith('packs/') && !/\.(yaml|md)$/.test(path))).toEqual([])
  })
})

describe('the engine', () => {
  it.each(['console.', 'process.exit', 'process.argv', 'process.stdout', 'process.stderr', 'process.stdin'])(
    'does not touch %s, which belongs to a surface',
    word => {
      const engine = sources.filter(path => /^(engine|workers)\//.test(path))
      const lines = engine.flatMap(path =>
        codeLines(path).map((line, index) => ({ place: `${path}:${index + 1}`, line })),
      )
      const pattern = new RegExp(`(^|[^\\w.'"\`])${word.replace('.', '\\.')}`)
      expect(lines.filter(({ line }) => pattern.test(line)).map(l => l.place)).toEqual([])
    },
  )
})

describe('the scanner of imports', () => {
  it('sees every form of import, and knows types and lazy ones', () => {
    const text = `
      import a from './a.ts'
      import type { B } from './b.ts'
      import { type C } from './c.ts'
      import { type D, d } from './d.ts'
      export * from '../e.ts'
      export type { F } from './f.ts'
      import 'g'
      // import './no.ts'
      const h = "import './no.ts'"
      const i = await import('./i.ts')
      export { j }`
    expect(importsOf('engine/x/y.ts', text).map(({ to, typeOnly, lazy }) => [to, typeOnly, lazy])).toEqual([
      ['engine/x/a.ts', false, false],
      ['engine/x/b.ts', true, false],
      ['engine/x/c.ts', true, false],
      ['engine/x/d.ts', false, false],
      ['g', false, false],
      ['engine/e.ts', false, false],
      ['engine/x/f.ts', true, false],
      ['engine/x/i.ts', false, true],
    ])
  })
})

function place({ from, line, to }: Import): string {
  return `${from}:${line} imports ${to}`
}

/** A file's lines without the ones that are comment only. */
function codeLines(path: string): string[] {
  return textOf(path)
    .split('\n')
    .map(line => (/^\s*(\/\/|\*|\/\*)/.test(line) ? '' : line))
}

/** Everything that a file loads before its first line runs. */
function closure(start: string): string[] {
  const seen = new Set([start])
  for (const path of seen) for (const i of imports) if (i.from === path && !i.typeOnly && !i.lazy) seen.add(i.to)
  return [...seen]
}

/** One circle of imports for each group of files that has one. */
function cycles(edges: readonly Import[]): string[] {
  const next = new Map<string, Import[]>()
  for (const edge of edges) next.set(edge.from, [...(next.get(edge.from) ?? []), edge])
  const done = new Set<string>()
  const found: string[] = []
  const visit = (path: string, trail: string[]) => {
    const at = trail.indexOf(path)
    if (at !== -1) found.push([...trail.slice(at), path].join(' → '))
    if (at !== -1 || done.has(path)) return
    for (const { to } of next.get(path) ?? []) visit(to, [...trail, path])
    done.add(path)
  }
  for (const path of next.keys()) visit(path, [])
  return found
}
