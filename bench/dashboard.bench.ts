import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../engine/sources/store/open.ts'
import type { FindingQuery } from '../engine/sources/store/query.ts'
import { writeRun } from '../engine/sources/store/write.ts'
import type { Row } from './process.ts'
import { makeFiles, makeFindings, makeRun } from './store-data.ts'

const RUNS = 60
const FINDINGS = 20_000
/** Each query is measured so often, after one that is not; the median is reported. */
const REPEATS = 15

const QUERIES: [what: string, query: FindingQuery][] = [
  ['page of 100 with six facets', { facets: ['severity', 'status', 'category', 'rule', 'language', 'framework'] }],
  [
    'the same, filtered by severity, rule and status',
    {
      filter: {
        severity: ['critical', 'high'],
        status: ['open'],
        rule: ['python-sql-injection-7', 'python-sql-injection-21'],
      },
      facets: ['severity', 'status', 'category', 'rule', 'language', 'framework'],
    },
  ],
  ['full text, with facets', { search: 'account value_19', facets: ['severity', 'status', 'rule'] }],
  ['grouped by rule', { group_by: 'rule', facets: ['severity', 'status'] }],
  ['grouped by file', { group_by: 'file', facets: ['severity', 'status'] }],
  ['the oldest first, from row 15,000', { sort: 'oldest', offset: 15_000 }],
]

/** What a page of the dashboard asks of 60 runs of 20,000 findings, in a server that has answered before. */
export async function bench(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-dashboard-'))
  try {
    const out = join(folder, 'out')
    const files = makeFiles(4000)
    for (let n = 0; n < RUNS; n++) {
      const findings = makeFindings(FINDINGS, n)
      await writeRun(out, makeRun(n, findings), findings, files)
    }
    const rows: Row[] = []
    for (const [what, query] of QUERIES) {
      const { cpu, wall } = await median(async () => {
        const store = await openStore(out)
        await store.query('latest', query)
        store.close()
      })
      rows.push({
        name: `findings.query, 60 runs of 20,000 findings: ${what}`,
        figure: `${Math.round(cpu)} ms of processor time (${Math.round(wall)} ms by the clock)`,
        target: '≤ 60 ms',
        ok: cpu <= 60,
      })
    }
    return rows
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Medians. Processor time is what counts: an idle machine takes at most that, and one that is busy with other work as long as it likes. */
async function median(work: () => Promise<void>): Promise<{ cpu: number; wall: number }> {
  await work()
  const measured: { cpu: number; wall: number }[] = []
  for (let n = 0; n < REPEATS; n++) {
    const [start, before] = [performance.now(), process.cpuUsage()]
    await work()
    const { user, system } = process.cpuUsage(before)
    measured.push({ cpu: (user + system) / 1000, wall: performance.now() - start })
  }
  const middle = (key: 'cpu' | 'wall') =>
    measured.map(each => each[key]).sort((a, b) => a - b)[Math.floor(REPEATS / 2)]!
  return { cpu: middle('cpu'), wall: middle('wall') }
}
