// The import graph of TypeScript trees, edge by edge against dependency-cruiser, and the time that each takes.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { makeAliasTree, makeWorkspaceTree } from './import-trees.ts'
import { measure, type Row, sideBySide } from './process.ts'

const PROGRAM = resolve(import.meta.dirname, '../dist/svc.js')
/** dependency-cruiser reads TypeScript with a compiler before 7 that is installed beside it. */
const PEERS = ['dependency-cruiser@17.4.3', 'typescript@5.9.3']
const CONFIG = `module.exports = { options: {
  tsPreCompilationDeps: true,
  tsConfig: { fileName: 'tsconfig.json' },
  doNotFollow: { path: 'node_modules' },
  exclude: { path: '(^|/)(dist|out)/' },
  enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
} }
`

interface Cruised {
  modules: { source: string; dependencies: { resolved: string; couldNotResolve: boolean; coreModule: boolean }[] }[]
}
interface Graph {
  imports: { from: string; to: string; target: string }[]
}

export async function bench(): Promise<Row[]> {
  const peer = installPeer()
  const folder = mkdtempSync(join(tmpdir(), 'svc-imports-'))
  try {
    const own = join(folder, 'own')
    execFileSync('git', ['clone', '-q', resolve(import.meta.dirname, '..'), own])
    const trees = {
      'workspaces, made': makeWorkspaceTree(join(folder, 'workspaces')),
      'path aliases, made': makeAliasTree(join(folder, 'aliases')),
      'svc itself': own,
    }
    const rows: Row[] = []
    for (const [name, root] of Object.entries(trees)) rows.push(...(await compare(name, root, peer, folder)))
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compare(name: string, root: string, peer: string, out: string): Promise<Row[]> {
  const config = join(out, 'cruise.cjs')
  writeFileSync(config, CONFIG)
  const [theirs, ours] = [join(out, 'theirs.json'), join(out, 'ours.json')]
  const cruise = () => measure('node', [peer, '--config', config, '-T', 'json', '-f', theirs, '.'], root)
  const check = () => measure('node', [PROGRAM, 'check-arch', '--graph', 'json', '--output', ours], root)
  const [slow, fast] = await sideBySide(1, [cruise, check])
  const { modules } = JSON.parse(readFileSync(theirs, 'utf8')) as Cruised
  const expected = new Set(
    modules.flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ couldNotResolve, coreModule, resolved }) => !couldNotResolve && !coreModule && !isPackage(resolved))
        .filter(() => !isPackage(source))
        .map(({ resolved }) => `${source} → ${resolved}`),
    ),
  )
  const { imports } = JSON.parse(readFileSync(ours, 'utf8')) as Graph
  const found = new Set(imports.filter(({ target }) => target === 'file').map(({ from, to }) => `${from} → ${to}`))
  const missing = [...expected].filter(edge => !found.has(edge))
  const more = [...found].filter(edge => !expected.has(edge))
  for (const edge of missing.slice(0, 20)) console.log(`  ${name}: only dependency-cruiser has ${edge}`)
  for (const edge of more.slice(0, 20)) console.log(`  ${name}: only svc has ${edge}`)
  const share = expected.size === 0 ? 0 : (1 - missing.length / expected.size) * 100
  const times = slow!.ms / fast!.ms
  return [
    {
      name: `imports of ${name}: edges of dependency-cruiser that svc has`,
      figure: `${(expected.size - missing.length).toLocaleString('en')} of ${expected.size.toLocaleString('en')} (${share.toFixed(2)} %), ${more.length} more`,
      target: '≥ 99 %',
      ok: share >= 99,
    },
    {
      name: `imports of ${name}: time`,
      figure: `${(fast!.ms / 1000).toFixed(2)} s against ${(slow!.ms / 1000).toFixed(2)} s (${times.toFixed(1)} ×)`,
      target: '≤ a fifth',
      ok: times >= 5,
    },
  ]
}

function isPackage(path: string): boolean {
  return /(?:^|\/)node_modules\//.test(path)
}

/** The peer's program, installed once into the user's cache. */
function installPeer(): string {
  const folder = join(homedir(), '.cache/svc-bench/imports')
  const program = join(folder, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, ...PEERS], {
    stdio: 'inherit',
  })
  return program
}
