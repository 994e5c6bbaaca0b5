// Tries every way out of the program, idle, loaded and with one thread, and prints how often each ended how; exits 1 on a fault.
// Usage: npm run interrupts [-- --tries <number of each kind and state, 10>] [--seed <number>] [--files <number, 60>] [--exit <name>]… [--state <name>]…
import { parseArgs } from 'node:util'
import { EXITS, interrupts, STATES } from './soak/interrupts.ts'

const several = { type: 'string', multiple: true } as const
const { values } = parseArgs({
  options: {
    tries: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    files: { type: 'string', default: '60' },
    exit: several,
    state: several,
  },
})
const states = STATES.filter(name => values.state?.includes(name) ?? true)
const exits = Object.keys(EXITS).filter(name => values.exit?.includes(name) ?? true)
const unknown = [...(values.exit ?? []), ...(values.state ?? [])].filter(
  name => ![...exits, ...states].includes(name as never),
)
if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(', ')}: exits are ${Object.keys(EXITS).join('; ')}; states are ${STATES.join('; ')}.`,
  )
  process.exit(64)
}
const [tries, seed, files] = [values.tries, values.seed, values.files].map(Number) as [number, number, number]
const rows = await interrupts({ tries, seed, files, exits, states })
console.log('| exit | state | tries | outcomes | faults |\n|---|---|---|---|---|')
for (const { exit, state, outcomes, faults } of rows) {
  const told = Object.entries(outcomes).map(([end, count]) => `${end} × ${count}`)
  console.log(`| ${exit} | ${state} | ${tries} | ${told.join(', ')} | ${faults.length} |`)
}
for (const fault of rows.flatMap(row => row.faults).slice(0, 40)) console.log(`\n${fault}`)
process.exitCode = rows.some(row => row.faults.length > 0) ? 1 : 0
