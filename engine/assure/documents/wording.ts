import { CONTROL_STATES, type ControlState, type StateCounts } from '../../base/records/framework.ts'
import { formatCount, groupDigits } from '../../base/text/words.ts'
import { STATE_WORDS } from '../reports/coverage-text.ts'

/** A framework's figures, as every document states them. */
export interface Figures {
  counts: StateCounts
  coverage?: number
  complete: boolean
}

/**
 * Coverage with what it leaves out: `66.6 % of 3 judged controls met; 2 manual; 1 not evaluated`. The number of manual and of not evaluated
 * controls stands beside every percentage, also where it is 0.
 */
export function describeCoverage({ counts, coverage }: Pick<Figures, 'counts' | 'coverage'>): string {
  const judged = counts.met + counts.violated
  const share =
    coverage === undefined
      ? 'no control met or violated'
      : `${coverage} % of ${formatCount(judged, 'judged control')} met`
  return `${share}; ${groupDigits(counts.manual)} manual; ${groupDigits(counts.not_evaluated)} not evaluated`
}

/** Whether a framework may be called complete, in a sentence. */
export function describeCompleteness({ counts, complete }: Figures): string {
  if (complete) return 'Every control is met or not applicable.'
  const open = (['violated', 'manual', 'not_evaluated'] as const).filter(state => counts[state] > 0)
  if (open.length === 0) return 'Not complete: not every control of the framework was evaluated.'
  return `Not complete: ${open.map(state => `${groupDigits(counts[state])} ${STATE_WORDS[state]}`).join(', ')}.`
}

/** The states that occur, most urgent first, with their counts. */
export function listStates(counts: StateCounts): { state: ControlState; count: number; words: string }[] {
  return CONTROL_STATES.flatMap(state =>
    counts[state] > 0 ? [{ state, count: counts[state], words: STATE_WORDS[state] }] : [],
  )
}

/** `2026-03-04 05:06 UTC`. */
export function formatTime(iso: string): string {
  return iso.replace('T', ' ').replace(/:\d\d(\.\d+)?Z$/, ' UTC')
}

/** No document of svc is more than this. */
export const NO_CERTIFICATE =
  'This document states what was scanned and what people vouched for. It is no certificate and no opinion of an auditor.'
