// Runs the soaks in full and prints what each came to; exits 1 where one found a fault.
// Usage: npm run soak [-- <name>… [--seed <number>]]
import { clock } from './clock.ts'
import { crowd } from './crowd.ts'
import { fuzz } from './fuzz.ts'
import { globs } from './globs.ts'
import { histories } from './histories.ts'
import { kills } from './kills.ts'
import { longLines } from './long-line.ts'
import { manyFiles } from './many-files.ts'
import { nesting } from './nesting.ts'
import type { Soaked } from './program.ts'

const args = process.argv.slice(2)
const at = args.indexOf('--seed')
const seed = at === -1 ? Date.now() % 1_000_000 : Number(args.splice(at, 2)[1])
const SOAKS: Record<string, () => Promise<Soaked>> = {
  globs: () => globs({ pairs: 100_000, seed }),
  nesting: () => nesting({ depths: [5_000, 100_000] }),
  fuzz: () => fuzz({ count: 10_000, seed, keep: `soak-faults-${seed}` }),
  lines: () => longLines({ bytes: 50_000_000, languages: ['javascript', 'python', 'java', 'text', 'json'] }),
  kills: () => kills({ count: 50, seed, files: 250 }),
  crowd: () => crowd({ processes: 20, rounds: 5, files: 250 }),
  histories: () => histories({ count: 500, seed, files: 120 }),
  clock: () => clock({ rounds: 50, files: 120 }),
  files: () => manyFiles({ count: 300_000 }),
}

const unknown = args.filter(name => !Object.hasOwn(SOAKS, name))
if (unknown.length > 0) {
  console.error(`There is no soak ${unknown.join(', ')}; there are ${Object.keys(SOAKS).join(', ')}.`)
  process.exit(64)
}
console.log(`seed ${seed}`)
for (const [name, soak] of Object.entries(SOAKS)) {
  if (args.length > 0 && !args.includes(name)) continue
  const began = performance.now()
  const { tried, faults, figures } = await soak()
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(
    `${faults.length === 0 ? 'ok  ' : 'FAIL'} ${name}: ${tried} tried, ${faults.length} faults, ${seconds} s ${JSON.stringify(figures)}`,
  )
  for (const fault of faults.slice(0, 40)) console.log(`     ${fault}`)
  if (faults.length > 0) process.exitCode = 1
}
process.exit()
