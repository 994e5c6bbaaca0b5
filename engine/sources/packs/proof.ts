import { EngineError } from '../../base/errors.ts'
import { type BrokenExample, brokenExamples } from './examples.ts'
import { examplesOf } from './load.ts'
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
    const { match, clean } = examplesOf(rule)
    proof.examples += match.length + clean.length
    proof.broken.push(...brokenExamples({ ...rule, match, clean }))
  }
  return proof
}
