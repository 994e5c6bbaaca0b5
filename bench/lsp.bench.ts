import { runSession } from './lsp-session.ts'
import type { Row } from './process.ts'

/** Rounds of edits over all files: 20 times 50 are 1,000 edits. `npm run bench lsp 200` makes the 10,000 of a long day. */
const ROUNDS = 20

/** A session of the language server: its answers against those of a scan, their time, and its memory. `only` is another number of rounds. */
export async function bench(only?: string): Promise<Row[]> {
  const rounds = only === undefined ? ROUNDS : Number(only)
  const { edits, latencies, differences, compared, diagnostics, memory } = await runSession({
    ...{ files: 50, lines: 1000, rounds, comparing: rounds > ROUNDS ? 10 : 1, seed: 32 },
  })
  for (const difference of differences) console.log(difference)
  const p95 = latencies[Math.floor(latencies.length * 0.95)]!
  const growth = memory.end - memory.settled
  const what = `${edits.toLocaleString('en')} edits over 50 files of 1,000 lines`
  return [
    {
      name: `${what}: verdicts that differ from those of svc scan`,
      figure: `${differences.length} of ${compared} (${diagnostics} diagnostics)`,
      target: '0',
      ok: differences.length === 0 && diagnostics > 0,
    },
    { name: `${what}: edit to diagnostics, p95`, figure: `${p95.toFixed(0)} ms`, target: '≤ 100 ms', ok: p95 <= 100 },
    {
      name: `${what}: growth of the server's memory`,
      figure: `${growth.toFixed(0)} MB (${memory.tenths.map(each => each.toFixed(0)).join(', ')} MB)`,
      target: '≤ 20 MB',
      ok: growth <= 20,
    },
  ]
}
