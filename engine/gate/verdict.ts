import type { View } from '../operation.ts'
import type { Performed } from '../scan/perform.ts'
import { silentScanners } from '../scan/run.ts'
import { decide, type GateDecision } from './decide.ts'

/** The gate's decision on a scan that was just done. */
export function decideOn({ run, findings, config, change }: Performed): GateDecision {
  // A change to files that no rule looks at is no unknown: what the rules could say of it, they said.
  const evaluated = change ? undefined : run.counts.rules
  return decide(findings, evaluated, file => config.for(file).gate.fail_on, config.gate.fail_on, silentScanners(run))
}

/** The decision in one sentence for a person. */
export function verdict(
  { passed, reasons, fail_on }: Pick<GateDecision, 'passed' | 'reasons' | 'fail_on'>,
  { paint }: View,
): string {
  const on = `(fails on ${fail_on.join(', ')})`
  if (passed) return `${paint('green', 'PASSED')} the gate ${on}.`
  return `${paint('red', 'HELD')} at the gate ${on}: ${reasons.join('; ')}.`
}
