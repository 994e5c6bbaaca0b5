import { CONTROL_STATES, type ControlState, type FrameworkResult } from '../../base/records/framework.ts'

/** The states of controls in words. */
export const STATE_WORDS: Record<ControlState, string> = {
  violated: 'violated',
  met: 'met',
  manual: 'manual',
  not_applicable: 'not applicable',
  not_evaluated: 'not evaluated',
}

/** `7 violated, 2 met, 3 manual; coverage 22.2 % of 9 evaluated`. */
export function formatCoverage({ counts, coverage }: Pick<FrameworkResult, 'counts' | 'coverage'>): string {
  const parts = CONTROL_STATES.filter(state => counts[state] > 0).map(state => `${counts[state]} ${STATE_WORDS[state]}`)
  return `${parts.join(', ') || 'no control'}${coverage === undefined ? '' : `; coverage ${coverage} % of ${counts.met + counts.violated} evaluated`}`
}
