import { escapeInvisible, escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import type { PlannedRequest } from './session.ts'

/** What would be sent, to whom, and at what cost. */
export function formatPlanned(planned: readonly PlannedRequest[], { reason = '' }: { reason?: string }): string {
  if (planned.length === 0) return `Nothing would be sent: ${escapeInvisibleLine(reason)}.`
  const usd = planned.reduce((sum, each) => sum + each.usd, 0)
  return [
    `${formatCount(planned.length, 'request')} would be sent, at most $${usd.toFixed(4)}. Nothing was sent.`,
    ...planned.flatMap(({ purpose, to, model, input_tokens, output_tokens, prompt }) => [
      '',
      `${purpose} to ${escapeInvisibleLine(to)}, model ${escapeInvisibleLine(model)}: at most ${input_tokens} tokens in, ${output_tokens} out`,
      escapeInvisible(prompt),
    ]),
  ].join('\n')
}
