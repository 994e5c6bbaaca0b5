import { visibleLine } from '../assure/text.ts'
import type { View } from '../operation.ts'
import type { Performed } from '../scan/perform.ts'
import { isBrokenOff } from '../scan/run.ts'
import { decide, type GateDecision } from './decide.ts'

/** The gate's decision on a scan that was just done. */
export function decideOn({ run, findings, config, change, rules }: Performed): GateDecision {
  // A change to files that no rule looks at is no unknown: what the rules could say of it, they said.
  const evaluated = change ? undefined : run.counts.rules
  const failOn = (file: string) => config.for(file).gate.fail_on
  const unknown = [...silent(run), ...brokenOff(run, rules, failOn, change)]
  return decide(findings, evaluated, failOn, config.gate.fail_on, unknown)
}

/** The other scanners that are configured and gave no result, or not all of it, each with the first cause. */
function silent({ not_evaluated }: Performed['run']): string[] {
  const causes = new Map<string, string | undefined>()
  for (const { rule_id, reason, detail } of not_evaluated) {
    const name = rule_id.slice(0, rule_id.lastIndexOf(':'))
    if ((reason === 'scanner_failed' || reason === 'scanner_not_run') && !causes.has(name)) causes.set(name, detail)
  }
  return [...causes].map(
    ([name, cause]) => `the scanner ${JSON.stringify(name)} gave no whole result${cause ? ` (${cause})` : ''}`,
  )
}

/** Why a file has nothing to judge, though it is there. */
const UNSEEN = new Set(['unreadable'])
/** The same for a file of a change, which git was asked for: one that has gone from disk meanwhile is none of a whole repository's. */
const UNSEEN_IN_CHANGE = new Set([...UNSEEN, 'vanished'])

/** What was broken off or could not be read rather than left out by a known limit: rules of a severity that fails where they were, and whole files. */
function brokenOff(
  { not_evaluated, skipped }: Performed['run'],
  rules: Performed['rules'],
  failOn: (file: string) => readonly string[],
  change: boolean,
): string[] {
  const severities = new Map(rules.map(({ id, severity }) => [id, severity]))
  const stopped = new Set(
    not_evaluated
      .filter(({ reason, rule_id, file = '' }) => {
        const severity = severities.get(rule_id)
        return isBrokenOff(reason) && severity !== undefined && failOn(file).includes(severity)
      })
      .map(each => each.rule_id),
  )
  const unseen = change ? UNSEEN_IN_CHANGE : UNSEEN
  const files = skipped.filter(({ reason }) => isBrokenOff(reason) || unseen.has(reason))
  const out: string[] = []
  if (stopped.size > 0)
    out.push(
      `${[...stopped].sort().slice(0, 3).join(', ')}${stopped.size > 3 ? ` and ${stopped.size - 3} more rules` : ''} could not be evaluated on some file`,
    )
  if (files.length > 0)
    out.push(
      `${visibleLine(files[0]!.path)}${files.length > 1 ? ` and ${files.length - 1} more files` : ''} could not be scanned (${files[0]!.reason.replaceAll('_', ' ')})`,
    )
  return out
}

/** The decision in one sentence for a person. */
export function verdict(
  { passed, reasons, fail_on }: Pick<GateDecision, 'passed' | 'reasons' | 'fail_on'>,
  { paint }: View,
): string {
  const on = `(fails on ${fail_on.join(', ') || 'no severity'})`
  if (passed) return `${paint('green', 'PASSED')} the gate ${on}.`
  return `${paint('red', 'HELD')} at the gate ${on}: ${reasons.join('; ')}.`
}
