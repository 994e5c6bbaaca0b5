import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openIndex } from '../engine/supply/advisories/index-open.ts'
import { locateIndex } from '../engine/supply/advisories/locations.ts'
import { measure, type Row, sideBySide } from './process.ts'
import { writeDatabase, writeProject } from './supply-data.ts'

const SVC = resolve(import.meta.dirname, '../dist/svc.js')
/** `npm install @cyclonedx/cdxgen` in a directory of its own; the row is left out where this names none. */
const CDXGEN = process.env.SVC_BENCH_CDXGEN

const MANIFESTS = 200
const PACKAGES = 20_000
const ADVISORIES = 250_000

/** Inventory, matching and SBOM of generated projects of npm, beside `npm sbom` and cdxgen; and what all of it adds to a scan. */
export async function bench(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-supply-'))
  const cache = join(folder, 'cache')
  const env = { XDG_CACHE_HOME: cache }
  try {
    const monorepo = join(folder, 'monorepo')
    const each = PACKAGES / (MANIFESTS / 2)
    for (let i = 0; i < MANIFESTS / 2; i++) writeProject(join(monorepo, `packages/p${i}`), `p${i}`, each)
    for (let i = 0; i < 400; i++) writeFileSync(join(monorepo, `packages/p${i % 100}/m${i}.js`), makeSource(i))
    writeFileSync(join(monorepo, '.gitignore'), 'out/\n')
    commit(monorepo)
    const database = join(folder, 'database')
    writeDatabase(database, ADVISORIES, i => (i < 5000 ? `p${i % 100}-${Math.floor(i / 100)}` : `other-${i}`))
    const svc = (where: string, ...args: string[]) => measure(process.execPath, [SVC, ...args], where, env)
    // What a finding costs is no matter of dependencies: nothing is vulnerable by this one.
    const clean = join(folder, 'clean')
    writeDatabase(clean, 20_000, i => `other-${i}`)
    await svc(monorepo, 'vulns', '--quiet', '--database', clean)
    const built = await svc(monorepo, 'vulns', '--quiet', '--database', database)
    return [
      ...(await benchVulns(() => svc(monorepo, 'vulns', '--quiet', '--database', database))),
      {
        name: `indexing ${ADVISORIES} advisories, with the inventory, once`,
        figure: seconds(built.ms),
        target: '',
        ok: true,
      },
      ...(await benchOpen(locateIndex(database, env))),
      ...(await benchSbom(join(folder, 'project'), env)),
      ...(await benchScan(monorepo, clean, svc)),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function benchVulns(run: () => ReturnType<typeof measure>): Promise<Row[]> {
  const [vulns] = await sideBySide(5, [run])
  const { ms, cpu_ms, peak_mb, code } = vulns!
  const name = `svc vulns on ${MANIFESTS} manifests of ${PACKAGES} packages, offline`
  return [
    {
      name,
      figure: `${seconds(ms)}, of the processor ${seconds(cpu_ms)}`,
      target: '≤ 3 s',
      ok: ms <= 3000 && code === 1,
    },
    { name: `${name}: peak memory`, figure: `${peak_mb} MB`, target: '≤ 500 MB', ok: peak_mb <= 500 },
  ]
}

async function benchOpen(path: string): Promise<Row[]> {
  const times: number[] = []
  await (await openIndex(path))!.close()
  for (let i = 0; i < 9; i++) {
    const started = performance.now()
    const index = (await openIndex(path))!
    index.findAdvisories('npm', `p${i}-0`)
    times.push(performance.now() - started)
    index.close()
  }
  const ms = times.sort((a, b) => a - b)[4]!
  return [
    {
      name: `opening the index of ${ADVISORIES} advisories, and one look-up`,
      figure: `${ms.toFixed(1)} ms`,
      target: '≤ 50 ms',
      ok: ms <= 50,
    },
  ]
}

async function benchSbom(project: string, env: Record<string, string>): Promise<Row[]> {
  writeProject(project, 'app', 1000)
  commit(project)
  const output = join(project, '..', 'cdxgen.json')
  const [svc, npm, cdxgen] = await sideBySide(5, [
    () => measure(process.execPath, [SVC, 'sbom', '--quiet'], project, env),
    () => measure('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], project, env),
    ...(CDXGEN && existsSync(CDXGEN)
      ? [
          () =>
            measure(CDXGEN, ['-t', 'npm', '--no-install-deps', '-o', output, '.'], project, {
              ...env,
              FETCH_LICENSE: 'false',
            }),
        ]
      : []),
  ])
  const ratio = svc!.ms / npm!.ms
  const rows: Row[] = [
    {
      name: 'svc sbom on a project of 1,000 packages against npm sbom --package-lock-only',
      figure: `${ratio.toFixed(2)} × (${seconds(svc!.ms)}, ${seconds(npm!.ms)})`,
      ...{ target: '≤ 1 ×', ok: ratio <= 1 && svc!.code === 0 && npm!.code === 0 },
    },
  ]
  if (!cdxgen) return rows
  const times = cdxgen.ms / svc!.ms
  rows.push({
    name: 'svc sbom on a project of 1,000 packages against cdxgen -t npm --no-install-deps',
    figure: `${times.toFixed(1)} × faster (${seconds(svc!.ms)}, ${seconds(cdxgen.ms)})`,
    ...{ target: '≥ 4 × faster', ok: times >= 4 && cdxgen.code === 0 },
  })
  return rows
}

/** Scans with nothing changed since the last one: without any look at dependencies, without a database, and with one. */
async function benchScan(
  monorepo: string,
  database: string,
  svc: (where: string, ...args: string[]) => ReturnType<typeof measure>,
): Promise<Row[]> {
  const file = (name: string, text: string) => {
    mkdirSync(join(monorepo, '.svc'), { recursive: true })
    writeFileSync(join(monorepo, '.svc', name), text)
    return join('.svc', name)
  }
  const none = file('none.yaml', 'vulns:\n  in_scan: false\n')
  const without = file('without.yaml', '{}\n')
  const having = file('having.yaml', `vulns:\n  database: ${database}\n`)
  const scan = (config: string) => () => svc(monorepo, 'scan', '--quiet', '--config', config)
  for (const config of [none, without, having]) await scan(config)()
  const [base, bare, whole] = await sideBySide(11, [scan(none), scan(without), scan(having)])
  const scans = [
    { what: 'without a database', ...bare! },
    { what: 'with one by which nothing is vulnerable', ...whole! },
  ]
  return scans.map(({ what, ms, cpu_ms, code }) => {
    // The processor's time: what else the machine does falls on the clock.
    const share = (cpu_ms / base!.cpu_ms - 1) * 100
    return {
      name: `what dependencies add to a scan of the same with nothing changed, ${what}, of the processor`,
      figure: `${share.toFixed(1)} % (${cpu_ms.toFixed(0)} ms, ${base!.cpu_ms.toFixed(0)} ms; by the clock ${ms.toFixed(0)} ms, ${base!.ms.toFixed(0)} ms)`,
      ...{ target: '≤ 5 %', ok: share <= 5 && code === base!.code },
    }
  })
}

function makeSource(i: number): string {
  return Array.from({ length: 100 }, (_, k) => `export function f${i}_${k}(value) {\n  return value + ${k}\n}\n`).join(
    '\n',
  )
}

function commit(folder: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@localhost', ...args], {
      cwd: folder,
      stdio: 'ignore',
    })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'files')
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
