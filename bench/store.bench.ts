import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { writeRun } from '../engine/sources/store/write.ts'
import type { Row } from './process.ts'
import { makeFiles, makeFindings, makeRun } from './store-data.ts'

const RUNS = 50
const FINDINGS = 1_000_000
/** Each process is measured so often; the median is reported. */
const REPEATS = 5

/**
 * The store at size: 1,000,000 findings in 50 runs, asked for a gate, a delta and a trend, each in a fresh process that is
 * bundled as the shipped program is; and one large run written. The times are whole processes, from spawn to exit.
 */
export async function bench(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-store-'))
  const root = fileURLToPath(new URL('..', import.meta.url))
  const bundle = join(root, 'node_modules/.cache/svc-bench')
  try {
    await bundleProcess(root, bundle)
    const out = join(folder, 'out')
    const files = makeFiles(4000)
    for (let n = 0; n < RUNS; n++) {
      const findings = makeFindings(FINDINGS / RUNS, n)
      await writeRun(out, makeRun(n, findings), findings, files)
    }
    const result: Row[] = []
    for (const [work, what] of [
      ['gate', 'gate counts of the latest run'],
      ['delta', 'latest run against the one before'],
      ['trend', 'trend over all runs'],
    ] as const) {
      const { wall } = await median(bundle, work, () => out)
      result.push({
        name: `${what}, 1,000,000 findings in 50 runs`,
        figure: `${Math.round(wall)} ms`,
        target: '≤ 1000 ms',
        ok: wall <= 1000,
      })
    }
    const { ms, rss } = await median(bundle, 'write', n => join(folder, `write-${n}`, 'out'))
    const name = 'store a run of 50,000 findings and 80,000 files'
    result.push({ name, figure: `${Math.round(ms)} ms`, target: '≤ 1500 ms', ok: ms <= 1500 })
    const megabytes = Math.round(rss / 1e6)
    result.push({ name: `${name}: memory on top`, figure: `${megabytes} MB`, target: '≤ 150 MB', ok: megabytes <= 150 })
    return result
  } finally {
    await rm(folder, { recursive: true, force: true })
    await rm(bundle, { recursive: true, force: true })
  }
}

interface Measured {
  /** The whole process, seen from outside. */
  wall: number
  /** The work alone, seen from inside. */
  ms: number
  /** Bytes that the work added to the peak of resident memory. */
  rss: number
}

async function median(bundle: string, work: string, out: (n: number) => string): Promise<Measured> {
  const measured: Measured[] = []
  for (let n = 0; n < REPEATS; n++) {
    const start = performance.now()
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--expose-gc',
      join(bundle, 'store-process.mjs'),
      work,
      out(n),
    ])
    measured.push({ wall: performance.now() - start, ...(JSON.parse(stdout) as { ms: number; rss: number }) })
  }
  const middle = (key: keyof Measured) =>
    measured.map(each => each[key]).sort((a, b) => a - b)[Math.floor(REPEATS / 2)]!
  return { wall: middle('wall'), ms: middle('ms'), rss: middle('rss') }
}

async function bundleProcess(root: string, outdir: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/store-process.ts'],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    minifySyntax: true,
    external: ['@duckdb/node-bindings'],
    alias: { arktype: './scripts/erased-arktype.ts' },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  })
}
