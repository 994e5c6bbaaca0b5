import { escapeInvisibleLine } from '../../base/text/visible.ts'
import type { ProposedFix } from './propose.ts'

/** Pull requests for fixes, a line each. */
export function formatProposed(proposed: readonly object[]): string {
  if (proposed.length === 0) return 'No pull requests: nothing can be fixed.'
  return (proposed as readonly ProposedFix[])
    .map(({ package: name, to, state, url, reason, branch }) => {
      const place = url ?? branch
      return escapeInvisibleLine(
        `pull request ${state.padEnd(9)}  ${name} → ${to}  ${place}${reason ? `: ${reason}` : ''}`,
      )
    })
    .join('\n')
}
