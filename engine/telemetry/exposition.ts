import type { Figure, Sample } from './figure.ts'

/** Media type of the text format, version 0.0.4. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** The figures in Prometheus' text format ("Exposition formats"). Figures without samples are left out: no data is no zero. */
export function formatExposition(figures: readonly Figure[]): string {
  return figures
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) =>
      [
        `# HELP ${name} ${help.replace(/[\\\n]/g, sign => (sign === '\n' ? '\\n' : '\\\\'))}`,
        `# TYPE ${name} ${type}`,
        ...samples.map(sample => formatSample(name, sample)),
        '',
      ].join('\n'),
    )
    .join('')
}

function formatSample(name: string, { labels = {}, value, suffix = '' as never }: Sample): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`)
  return `${name}${suffix}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${formatValue(value)}`
}

function escapeLabel(text: string): string {
  return text.replace(/[\\"\n]/g, sign => (sign === '\n' ? '\\n' : `\\${sign}`))
}

function formatValue(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : '-Inf'
}
