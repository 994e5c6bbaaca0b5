// Builds five npm projects with workspaces from real packages, and compares the inventory with `npm ls --all` and cyclonedx-npm: the same components and edges.
// Needs the network and cyclonedx-npm. Usage: npm run accuracy:npm -- <directory> [path of cyclonedx-npm]
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { discover } from '../engine/sources/repository/discover.ts'
import { readInventory } from '../engine/supply/inventory/read.ts'
import { makeBill } from '../engine/supply/sbom/bill.ts'

type Manifest = Record<string, unknown>

/** Manifests by directory. Each project has what is hard: versions side by side, peers, optional and bundled packages, aliases, overrides. */
const PROJECTS: Record<string, Record<string, Manifest>> = {
  server: {
    '.': { workspaces: ['packages/*'], devDependencies: { mocha: '10.7.0', nodemon: '3.1.4' } },
    'packages/api': { dependencies: { '@x/core': '1.0.0', express: '4.19.2', lodash: '4.17.21', pg: '8.12.0' } },
    'packages/core': { dependencies: { lodash: '3.10.1', winston: '3.13.1' } },
  },
  peers: {
    '.': { workspaces: { packages: ['apps/*', 'libs/*'] }, devDependencies: { eslint: '8.57.0', typescript: '5.5.4' } },
    'apps/web': {
      dependencies: { react: '18.3.1', 'react-dom': '18.3.1', '@x/ui': '*', 'react-router-dom': '6.25.1' },
    },
    'libs/ui': {
      peerDependencies: { react: '>=17' },
      devDependencies: {
        '@typescript-eslint/parser': '7.17.0',
        '@typescript-eslint/eslint-plugin': '7.17.0',
        'eslint-plugin-react': '7.35.0',
      },
    },
  },
  optional: {
    '.': { workspaces: ['a', 'b'], optionalDependencies: { fsevents: '2.3.3' } },
    a: { devDependencies: { esbuild: '0.23.0', vite: '5.3.4', chokidar: '3.6.0' } },
    b: { dependencies: { sharp: '0.33.4', ws: '8.18.0' }, optionalDependencies: { bufferutil: '4.0.8' } },
  },
  bundled: {
    '.': { workspaces: ['tools/*'], overrides: { semver: '7.6.3' }, dependencies: { 'old-debug': 'npm:debug@2.6.9' } },
    'tools/release': { dependencies: { npm: '10.8.2', debug: '4.3.6' } },
    'tools/pack': { dependencies: { tar: '6.2.1', semver: '^7.0.0', '@x/release': '1.0.0' } },
  },
  build: {
    '.': { workspaces: ['packages/**'], devDependencies: { jest: '29.7.0' } },
    'packages/plugins/one': { dependencies: { '@babel/core': '7.24.9', webpack: '5.93.0' } },
    'packages/plugins/two': {
      devDependencies: { rollup: '4.19.0', '@rollup/plugin-node-resolve': '15.2.3', '@x/one': '1.0.0' },
    },
    'packages/app': { dependencies: { vue: '3.4.33', axios: '1.7.2' }, devDependencies: { '@x/two': '1.0.0' } },
  },
}

const [target, cyclonedx] = process.argv.slice(2)
if (target === undefined) {
  console.error('Usage: npm run accuracy:npm -- <directory> [path of cyclonedx-npm]')
  process.exit(64)
}

interface Graph {
  components: Set<string>
  edges: Set<string>
}

let differences = 0
for (const [name, manifests] of Object.entries(PROJECTS)) {
  const root = resolve(target, name)
  if (!existsSync(join(root, 'package-lock.json'))) make(root, manifests)
  const own = await readOwn(root)
  compare(`${name}: npm ls`, own, readNpm(root))
  if (cyclonedx) compare(`${name}: cyclonedx-npm`, own, readCycloneDx(root, resolve(cyclonedx)))
}
process.exitCode = differences > 0 ? 1 : 0

function make(root: string, manifests: Record<string, Manifest>): void {
  for (const [directory, manifest] of Object.entries(manifests)) {
    const path = join(root, directory, 'package.json')
    mkdirSync(dirname(path), { recursive: true })
    const name = directory === '.' ? 'root' : `@x/${directory.split('/').at(-1)}`
    writeFileSync(path, `${JSON.stringify({ name, version: '1.0.0', ...manifest }, null, 2)}\n`)
  }
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: 'inherit',
  })
  execFileSync('git', ['init', '-q'], { cwd: root })
}

/** What `svc sbom` writes, by `name@version`; projects of other families than npm's are left out. */
async function readOwn(root: string): Promise<Graph> {
  const inventory = await readInventory(await discover(root, { exclude: [] }))
  const bill = makeBill(inventory, { name: 'root', created: new Date(0), tool: { name: 'svc', version: '0' } })
  const parts = [bill.root, ...bill.projects, ...bill.components]
  const names = new Map(parts.map(({ id, name, version }) => [id, `${name}@${version}`]))
  const graph: Graph = { components: new Set(names.values()), edges: new Set() }
  for (const [from, needed] of bill.dependencies)
    for (const to of needed) graph.edges.add(`${names.get(from)} → ${names.get(to)}`)
  return graph
}

interface Listed {
  name?: string
  version?: string
  dependencies?: Record<string, Listed>
}

function readNpm(root: string): Graph {
  // npm ends with 1 for problems, and lists all the same.
  const { stdout } = spawnSync('npm', ['ls', '--all', '--long', '--json', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 29,
  })
  const graph: Graph = { components: new Set(), edges: new Set() }
  const listed = JSON.parse(stdout) as Listed
  const walk = (from: string, { dependencies = {} }: Listed) => {
    for (const [alias, each] of Object.entries(dependencies)) {
      // Optional packages and peers that are not installed have no version.
      if (each.version === undefined) continue
      const id = `${each.name ?? alias}@${each.version}`
      graph.components.add(id)
      graph.edges.add(`${from} → ${id}`)
      walk(id, each)
    }
  }
  graph.components.add(`${listed.name}@${listed.version}`)
  walk(`${listed.name}@${listed.version}`, listed)
  return graph
}

interface Bom {
  metadata: { component: Part }
  components?: Part[]
  dependencies?: { ref: string; dependsOn?: string[] }[]
}

interface Part {
  'bom-ref': string
  group?: string
  name: string
  version: string
  components?: Part[]
}

function readCycloneDx(root: string, command: string): Graph {
  const text = execFileSync(command, ['--package-lock-only', '--ignore-npm-errors', '--output-format', 'JSON'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 29,
  })
  const bom = JSON.parse(text) as Bom
  const names = new Map<string, string>()
  const visit = (part: Part) => {
    names.set(part['bom-ref'], `${part.group ? `${part.group}/` : ''}${part.name}@${part.version}`)
    part.components?.forEach(visit)
  }
  visit(bom.metadata.component)
  bom.components?.forEach(visit)
  const edges = (bom.dependencies ?? []).flatMap(({ ref, dependsOn = [] }) =>
    dependsOn.flatMap(to => (names.has(ref) && names.has(to) ? [`${names.get(ref)} → ${names.get(to)}`] : [])),
  )
  return { components: new Set(names.values()), edges: new Set(edges) }
}

function compare(what: string, own: Graph, theirs: Graph): void {
  const list = (title: string, of: ReadonlySet<string>, but: ReadonlySet<string>) => {
    const more = [...of].filter(each => !but.has(each)).sort()
    differences += more.length
    if (more.length > 0)
      console.log(`  ${title}: ${more.length}: ${more.slice(0, 12).join(', ')}${more.length > 12 ? ', …' : ''}`)
  }
  console.log(
    `${what}: ${own.components.size} components, ${own.edges.size} edges; ${theirs.components.size}, ${theirs.edges.size} there`,
  )
  list('components only here', own.components, theirs.components)
  list('components only there', theirs.components, own.components)
  list('edges only here', own.edges, theirs.edges)
  list('edges only there', theirs.edges, own.edges)
}
