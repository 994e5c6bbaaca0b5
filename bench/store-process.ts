// One measured process of bench/store.bench.ts: does one thing with the store in <out> and prints {ms, rss} of it as JSON,
// DuckDB's loading included.
import { openStore } from '../engine/sources/store/open.ts'
import { makeFiles, makeFindings, makeRun } from './store-data.ts'

const [work, out] = process.argv.slice(2) as [string, string]

const WORK: Record<string, () => Promise<unknown>> = {
  gate: async () => (await openStore(out)).gateCounts('latest'),
  delta: async () => (await openStore(out)).compare(),
  trend: async () => (await openStore(out)).trend(50),
  write: writing(50_000, 80_000),
}

/** The findings and files are made before the clock starts. */
function writing(findings: number, files: number): () => Promise<unknown> {
  if (work !== 'write') return async () => {}
  const made = makeFindings(findings, 0)
  const records = makeFiles(files)
  return async () => {
    const { writeRun } = await import('../engine/sources/store/write.ts')
    await writeRun(out, makeRun(0, made), made, records)
  }
}

const task = WORK[work]!
globalThis.gc?.()
const before = process.memoryUsage().rss
const start = performance.now()
await task()
console.log(
  JSON.stringify({ ms: performance.now() - start, rss: Math.max(0, process.resourceUsage().maxRSS * 1024 - before) }),
)
