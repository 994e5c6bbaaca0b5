// `npm run simulate fleet -- --workers 1,10,100 --cold 1`: how long a night over an organization takes, by measured costs and stated assumptions.

import { parseArgs } from 'node:util'
import { ASSUMPTIONS, type Assumptions, MEASURED, simulate } from './simulate-fleet.ts'

const names = Object.keys(ASSUMPTIONS) as (keyof Assumptions)[]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    workers: { type: 'string', default: '1,2,5,10,20,50,100,200' },
    ...Object.fromEntries(names.map(name => [name.replaceAll('_', '-'), { type: 'string' } as const])),
  },
})
if (positionals.join() !== 'fleet') {
  process.stderr.write('simulate: say what: npm run simulate fleet\n')
  process.exit(64)
}
const given = values as Record<string, string | undefined>
const all = Object.fromEntries(
  names.map(name => [name, Number(given[name.replaceAll('_', '-')] ?? ASSUMPTIONS[name])]),
) as unknown as Assumptions
const counts = given.workers!.split(',').map(Number)
if (
  [...Object.values(all), ...counts].some(value => !Number.isFinite(value) || value < 0) ||
  counts.some(count => !Number.isInteger(count) || count < 1)
) {
  process.stderr.write('simulate: every value must be a number, and workers whole numbers from 1\n')
  process.exit(64)
}
const rows = counts.map(workers => simulate(workers, all))
process.stdout.write(`Measured: ${JSON.stringify(MEASURED)}\nAssumed:  ${JSON.stringify(all)}\n`)
process.stdout.write(
  `${Math.round(rows[0]!.mb)} MB in ${rows[0]!.jobs} jobs, ${Math.round(rows[0]!.cpu_seconds)} s of CPU, longest job ${Math.round(rows[0]!.longest_seconds)} s\n`,
)
process.stdout.write('workers   minutes   busy   bucket requests/s\n')
for (const { workers, seconds, busy, requests_per_second } of rows)
  process.stdout.write(
    `${String(workers).padStart(7)} ${(seconds / 60).toFixed(1).padStart(9)} ${`${Math.round(busy * 100)} %`.padStart(6)} ${requests_per_second.toFixed(1).padStart(19)}\n`,
  )
