import { EngineError } from '../../base/errors.ts'
import { type BrokenExample, findBrokenExamples } from './examples.ts'
import { loadExamples } from './load.ts'
import type { Pack } from './pack.ts'

/** What became of a pack's examples. */
export interface Proof {
  id: string
  rules: number
  examples: number
  broken: BrokenExample[]
}

/** Runs every example of every rule of a pack. Stops between rules when the signal is aborted. */
export function provePack({ id, rules }: Pack, signal: AbortSignal): Proof {
  const proof: Proof = { id, rules: rules.length, examples: 0, broken: [] }
  for (const rule of rules) {
    if (signal.aborted) throw new EngineError('INTERRUPTED', 'The examples were not all run.')
    const { match, clean } = loadExamples(rule)
    proof.examples += match.length + clean.length
    proof.broken.push(...findBrokenExamples({ ...rule, match, clean }))
  }
  return proof
}
