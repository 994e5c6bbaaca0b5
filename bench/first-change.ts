// What secrets.bench.ts starts in place of the program, bundled and compiled as it: the detectors over a staged change of ten lines, first
// and a hundredth time. Prints a FirstChange. While V8's compiled form is kept, once alone, as the build runs the program: of what has not
// run for long V8 keeps nothing.
import { loadBuiltinPacks } from '../engine/sources/packs/load.ts'
import type { FirstChange } from './secrets.bench.ts'

async function main(): Promise<void> {
  const { rules } = loadBuiltinPacks().find(({ id }) => id === 'secrets')!
  const began = performance.now()
  await import('../engine/detect/secrets/rules.ts')
  const loading = performance.now() - began
  // What every rule needs, and a hook has loaded, is not the detectors'.
  const { FileScan } = await import('../engine/detect/file/file-scan.ts')
  const { RuleSet } = await import('../engine/detect/file/rule-set.ts')
  const lines = Array.from(
    { length: 10 },
    (_, index) => `const setting${index} = process.env.API_TOKEN_${index} ?? load('token')`,
  )
  const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`)
  const limits = { rule_deadline_ms: 1000, file_deadline_ms: 1000, max_parse_bytes: 1 << 20 }
  let set: InstanceType<typeof RuleSet> | undefined
  const judge = () => {
    const start = performance.now()
    set ??= new RuleSet(rules)
    const file = new FileScan(set, { path: 'a.js', language: 'javascript', in_test: false, bytes }, limits)
    for (const step of file) step.run()
    return performance.now() - start
  }
  const first = loading + judge()
  const again = Array.from({ length: process.env.SVC_KEEP_COMPILED ? 1 : 99 }, judge)
  const after = again.sort((a, b) => a - b)[again.length >> 1]!
  process.stdout.write(JSON.stringify({ first, after } satisfies FirstChange))
}

void main()
