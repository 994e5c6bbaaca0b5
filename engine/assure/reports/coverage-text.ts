import { CONTROL_STATES, type ControlState, type FrameworkResult } from '../../base/records/framework.ts'

/** The states of controls in words for a person. */
export const STATE_WORDS: Record<ControlState, string> = {
  violated: 'violated',
  met: 'met',
  manual: 'for a person to show',
  'not-applicable': 'not applicable',
}

/** `7 violated, 2 met, 3 for a person to show; coverage 22.2 % of 9 that could be judged`. */
export function formatCoverage({ counts, coverage }: Pick<FrameworkResult, 'counts' | 'coverage'>): string {
  const parts = CONTROL_STATES.filter(state => counts[state] > 0).map(state => `${counts[state]} ${STATE_WORDS[state]}`)
  return `${parts.join(', ') || 'no control'}${coverage === undefined ? '' : `; coverage ${coverage} % of ${counts.met + counts.violated} that could be judged`}`
}
