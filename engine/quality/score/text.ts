import type { Style, View } from '../../base/text/view.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { groupDigits } from '../../base/text/words.ts'
import type { Dimension } from './dimensions.ts'
import type { QualityScore } from './measure.ts'

const BAR = 20

/** The score and a line for each dimension; with -v the formula of each and the numbers that went in. */
export function formatQuality(
  {
    score,
    passed,
    min_quality,
    dimensions,
    no_data,
    excluded_by,
  }: Omit<QualityScore, 'dimensions'> & {
    dimensions: readonly Omit<Dimension, 'id'>[]
    passed: boolean
    min_quality?: number
  },
  view: View,
): string {
  const { paint } = view
  const shown =
    score === null ? paint('yellow', 'unknown (no dimension has data)') : paint(styleOf(score), `${score} of 100`)
  const lines = [`Quality score: ${paint('bold', shown)}`]
  if (!view.quiet) {
    const width = Math.max(...dimensions.map(({ name }) => name.length))
    lines.push('', ...dimensions.flatMap(dimension => formatDimension(dimension, width, view)))
    if (no_data.length > 0 && score !== null)
      lines.push(
        '',
        `No data: ${no_data.join(', ').replaceAll('_', ' ')}. Their weights are shared by the other dimensions.`,
      )
    if (view.verbose) lines.push('', `Files are excluded by ${excluded_by}.`)
  }
  if (min_quality !== undefined)
    lines.push(
      '',
      passed
        ? `${paint('green', 'Passed')}: at least ${min_quality}.`
        : `${paint('red', 'Failed')}: the score must be at least ${min_quality}.`,
    )
  return lines.join('\n')
}

function formatDimension(dimension: Omit<Dimension, 'id'>, width: number, { paint, verbose }: View): string[] {
  const { name, weight, score, detail, formula, inputs } = dimension
  const filled = score === null ? 0 : Math.round((score / 100) * BAR)
  const bar = `${'█'.repeat(filled)}${paint('dim', '░'.repeat(BAR - filled))}`
  const value = score === null ? 'no data' : score.toFixed(1).padStart(7)
  const head = `  ${name.padEnd(width)}  ${score === null ? ' '.repeat(BAR) : paint(styleOf(score), bar)}  ${value}  ${paint('dim', `${weight} %`)}`
  const indent = ' '.repeat(4)
  const said = `${indent}${paint('dim', escapeInvisibleLine(detail))}`
  if (!verbose) return [head, said]
  const numbers = Object.entries(inputs).map(([key, number]) => `${key} ${groupDigits(number)}`)
  return [
    head,
    said,
    `${indent}formula: ${formula}`,
    ...(numbers.length > 0 ? [`${indent}numbers: ${numbers.join(', ')}`] : []),
  ]
}

function styleOf(score: number): Style {
  return score >= 80 ? 'green' : score >= 60 ? 'yellow' : 'red'
}
