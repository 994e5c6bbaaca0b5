import type { View } from '../../base/text/view.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import type { DesignDecision } from './decision.ts'
import type { LlmPart } from './review.ts'

const STYLE = { high: 'red', medium: 'yellow', low: 'dim' } as const

/** The decisions as a list to read: pending ones first, with their questions. */
export function formatDecisions(decisions: readonly DesignDecision[], { paint, verbose }: View): string[] {
  const order = { high: 0, medium: 1, low: 2 }
  const pending = decisions
    .filter(({ status }) => status === 'pending')
    .sort((a, b) => order[a.risk_level] - order[b.risk_level])
  const acknowledged = decisions.filter(({ status }) => status === 'acknowledged')
  return [...pending, ...acknowledged].flatMap(each => {
    const { id, category, status, risk_level, summary, file, line, question, risk, alternatives, note, source } = each
    const state = status === 'pending' ? paint(STYLE[risk_level], risk_level.padEnd(6)) : paint('green', 'acked ')
    const rows = [
      `${paint('bold', id)}  ${state}  ${category.padEnd(20)}  ${escapeInvisibleLine(summary)}${source === 'llm' ? paint('dim', ' (LLM)') : ''}`,
      `    ${paint('dim', `${escapeInvisibleLine(file)}:${line}`)}`,
    ]
    if (status === 'pending') rows.push(`    ${escapeInvisibleLine(question)}`)
    if (each.changed_since_acknowledgment) rows.push('    It was acknowledged, and the code has changed since.')
    if (verbose)
      rows.push(
        `    Risk: ${escapeInvisibleLine(risk)}`,
        `    Alternatives: ${escapeInvisibleLine(alternatives.join('; '))}`,
      )
    if (note !== undefined) rows.push(`    Note: ${escapeInvisibleLine(note)}`)
    return rows
  })
}

/** One line on what is pending, and one on the part of a model. */
export function formatHead(decisions: readonly DesignDecision[], scope: string): string {
  const pending = decisions.filter(({ status }) => status === 'pending').length
  return `Design review of ${escapeInvisibleLine(scope)}: ${formatCount(pending, 'pending decision')}, ${decisions.length - pending} acknowledged.`
}

/** Whether a model has taken part, and what of its answers was dropped. */
export function formatLlm({ state, reason, dropped }: LlmPart): string {
  const parts = [`LLM part ${state === 'evaluated' ? 'evaluated' : 'not evaluated'}`]
  if (reason !== undefined) parts.push(escapeInvisibleLine(reason))
  if (dropped > 0) parts.push(`${formatCount(dropped, 'answer')} dropped: the named lines do not exist`)
  return `${parts.join('; ')}.`
}
