// Tries every known way round svc against the built program and prints what holds each.
// Usage: npm run attack [-- a word of the names]     Exit 1 when one succeeds.
import { Ground } from '../test/attack/ground.ts'
import { TRIES } from '../test/attack/tries.ts'

const [wanted = ''] = process.argv.slice(2)
let count = 0
const through: string[] = []
for (const [kind, tries] of Object.entries(TRIES)) {
  const chosen = tries.filter(({ name }) => `${kind} ${name}`.includes(wanted))
  if (chosen.length > 0) console.log(`\n${kind}`)
  for (const { name, holds, attack } of chosen) {
    count++
    const ground = new Ground()
    try {
      await attack(ground)
      console.log(`  blocked    ${name}\n           by: ${holds}`)
    } catch (error) {
      through.push(name)
      console.log(
        `  SUCCEEDED  ${name}\n           ${String((error as Error).message).replaceAll('\n', '\n           ')}`,
      )
    } finally {
      ground.remove()
    }
  }
}
console.log(`\n${count} tries, ${count - through.length} blocked, ${through.length} succeeded`)
for (const name of through) console.log(`  ${name}`)
process.exitCode = through.length > 0 || count === 0 ? 1 : 0
