import type { View } from '../../base/text/view.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { drawSparkline } from '../sparkline.ts'
import { DIMENSIONS } from './dimensions.ts'
import type { QualityEntry } from './history.ts'

/** The scores, oldest first, and a sparkline for the score and for each dimension. */
export function formatQualityTrend(
  { entries, change }: { entries: readonly QualityEntry[]; change?: number },
  { paint, quiet }: View,
): string {
  if (entries.length === 0) return 'No scores yet. Run `svc quality-score` first.'
  const signed = (value: number) => `${value > 0 ? '+' : value < 0 ? '−' : '±'}${Math.abs(value).toFixed(1)}`
  const scores = entries.map(({ score }) => score)
  const last = scores.at(-1)
  const head = `Quality score ${drawSparkline(scores)} ${last ?? 'unknown'}${change === undefined ? '' : ` (${signed(change)})`}`
  if (quiet) return head
  let before: number | null = null
  const rows = entries.map(({ at, score, branch, git_sha }) => {
    const step = score === null || before === null ? '' : signed(score - before)
    before = score
    const where = escapeInvisibleLine([branch, git_sha?.slice(0, 8)].filter(Boolean).join(' '))
    return `  ${at.slice(0, 16).replace('T', ' ')}  ${(score?.toFixed(1) ?? 'unknown').padStart(7)}  ${step.padStart(6)}  ${paint('dim', where)}`.trimEnd()
  })
  const width = Math.max(...DIMENSIONS.map(({ name }) => name.length))
  const dimensions = DIMENSIONS.map(({ id, name }) => {
    const values = entries.map(each => each.dimensions[id] ?? null)
    return `  ${name.padEnd(width)}  ${drawSparkline(values)}  ${values.at(-1)?.toFixed(1) ?? 'no data'}`
  })
  return [head, '', ...rows, '', ...dimensions].join('\n')
}
