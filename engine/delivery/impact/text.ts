import type { Style, View } from '../../base/text/view.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { escapeMarkdown, quoteCode } from '../trace/markdown.ts'
import { type Impact, RISKS, type Risk } from './impact.ts'

const STYLE: Record<Risk, Style> = { high: 'red', medium: 'yellow', low: 'green' }
const SHOWN = 40
/** Rows of the table in a pull request. */
const ROWS = 50

/** The impact for a terminal, the highest risk first. */
export function formatImpact(impact: Impact, { paint, verbose }: View): string {
  const limit = verbose ? Number.POSITIVE_INFINITY : SHOWN
  const files = sortByRisk(impact)
  const list = (title: string, items: readonly string[]) =>
    items.length === 0
      ? []
      : [
          `${title}: ${escapeInvisibleLine(items.slice(0, limit).join(', '))}${items.length > limit ? ` and ${items.length - limit} more` : ''}`,
        ]
  return [
    ...files
      .slice(0, limit)
      .flatMap(({ file, change, risk, reasons, symbols }) => [
        `${paint(STYLE[risk], risk.padEnd(6))}  ${escapeInvisibleLine(file)}  ${paint('dim', change)}${symbols.length > 0 ? `  ${escapeInvisibleLine(symbols.slice(0, 8).join(', '))}` : ''}`,
        `        ${paint('dim', escapeInvisibleLine(reasons.join('; ')))}`,
      ]),
    ...(files.length > limit ? [`  and ${files.length - limit} more; -v shows all`] : []),
    ...list(
      'Requirements',
      impact.requirements.map(({ id }) => id),
    ),
    ...list(
      'Rules',
      impact.rules.map(({ id, severity }) => `${id} (${severity})`),
    ),
    ...list(
      'Controls',
      impact.frameworks.flatMap(({ framework, controls }) => controls.map(each => `${framework}:${each}`)),
    ),
    ...list('Tests', impact.tests),
    ...impact.not_evaluated.map(
      ({ file, reason }) =>
        `${paint('yellow', 'not evaluated')}  ${escapeInvisibleLine(file)}  ${escapeInvisibleLine(reason)}`,
    ),
    describe(impact),
  ].join('\n')
}

/** The impact as GitHub-flavored Markdown for a pull request. */
export function renderImpactMarkdown(impact: Impact): string {
  const files = sortByRisk(impact)
  const shorten = (items: readonly string[]) =>
    [...items.slice(0, 5).map(quoteCode), ...(items.length > 5 ? [`and ${items.length - 5} more`] : [])].join(' ')
  const list = (title: string, items: readonly string[]) =>
    items.length === 0
      ? []
      : [
          '',
          `<details><summary>${title}: ${items.length}</summary>`,
          '',
          ...items.slice(0, 200).map(item => `- ${item}`),
          ...(items.length > 200 ? [`- and ${items.length - 200} more`] : []),
          '',
          '</details>',
        ]
  return [
    `## Impact: ${impact.risk} risk`,
    '',
    escapeMarkdown(describe(impact)),
    '',
    '| File | Risk | Why | Symbols | Requirements | Tests |',
    '|---|---|---|---|---|---|',
    ...files
      .slice(0, ROWS)
      .map(
        ({ file, risk, reasons, symbols, requirements, tests }) =>
          `| ${quoteCode(file)} | ${risk} | ${escapeMarkdown(reasons.join('; '))} | ${shorten(symbols)} | ${shorten(requirements)} | ${shorten(tests)} |`,
      ),
    ...(files.length > ROWS ? ['', `And ${files.length - ROWS} more files.`] : []),
    ...list(
      'Requirements',
      impact.requirements.map(
        ({ id, title, revalidate }) =>
          `${quoteCode(id)} ${escapeMarkdown(title)}${revalidate ? ' (confirm again)' : ''}`,
      ),
    ),
    ...list(
      'Rules',
      impact.rules.map(({ id, severity }) => `${quoteCode(id)} ${severity}`),
    ),
    ...list(
      'Controls',
      impact.frameworks.flatMap(({ framework, controls }) => controls.map(each => quoteCode(`${framework}:${each}`))),
    ),
    ...list('Tests to run', impact.tests.map(quoteCode)),
    ...list(
      'Not evaluated',
      impact.not_evaluated.map(
        ({ file, reason }) => `${file === '' ? '' : `${quoteCode(file)} `}${escapeMarkdown(reason)}`,
      ),
    ),
    '',
  ].join('\n')
}

function sortByRisk({ files }: Impact): Impact['files'] {
  return [...files].sort((a, b) => RISKS.indexOf(a.risk) - RISKS.indexOf(b.risk) || (a.file < b.file ? -1 : 1))
}

function describe({ scope, files, risk, requirements, tests, revalidate }: Impact): string {
  if (files.length === 0) return `No changed file (${scope}).`
  const again = revalidate ? ' Revalidate: critical or high rules, or a confirmed requirement, are affected.' : ''
  return `${formatCount(files.length, 'changed file')} (${scope}), ${risk} risk: ${formatCount(requirements.length, 'requirement')} and ${formatCount(tests.length, 'test file')} affected.${again}`
}
