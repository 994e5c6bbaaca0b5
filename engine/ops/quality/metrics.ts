import { type } from 'arktype'
import { LANGUAGES } from '../../base/languages/languages.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { findTopFunctions } from '../../quality/metrics/functions.ts'
import { findDirectory, groupFiles, SORT_KEYS, sumFiles } from '../../quality/metrics/rows.ts'
import { formatFunctions, formatRows } from '../../quality/metrics/table.ts'

const Metric = type('number.integer | null').describe('a count; null where it was not measured')

const Row = type({
  name: type('string').describe('language, directory or path'),
  files: 'number.integer',
  test_files: type('number.integer').describe('how many of the files are tests'),
  lines: 'number.integer',
  code_lines: Metric,
  comment_lines: Metric,
  blank_lines: Metric,
  functions: Metric,
  longest_function: Metric,
  max_nesting: Metric,
  cyclomatic: Metric,
  max_cyclomatic: Metric,
  cognitive: Metric,
  max_cognitive: Metric,
  max_parameters: Metric,
  not_measured: type('number.integer').describe('files whose functions were not measured'),
})

const FunctionType = type({
  name: type('string').describe('its name; empty where it has none'),
  file: 'string',
  line: 'number.integer',
  end_line: 'number.integer',
  lines: 'number.integer',
  parameters: 'number.integer',
  nesting: 'number.integer',
  cyclomatic: 'number.integer',
  cognitive: 'number.integer',
})

/** Rows of files and functions that a person is shown where --top says nothing; languages are shown all. */
const SHOWN = 20

/** Measures the files as they are now: no run is read and none is stored. */
export default defineOperation({
  id: 'quality.metrics',
  summary: 'Measure lines, functions and complexity by language, directory, file or function.',
  effect: 'read',
  cli: 'metrics [paths]',
  rest: null,
  mcp: null,
  input: type({
    'paths?': type('string[]').describe('files, directories or globs (default: the repository)'),
    by: type("'language' | 'directory' | 'file' | 'function'")
      .configure({ description: 'what a row is: language, directory, file or function' }, 'self')
      .default('language'),
    'sort?': type.enumerated(...SORT_KEYS).configure(
      {
        description: `a column to sort by, highest first (default: code_lines, of functions cyclomatic): ${SORT_KEYS.join(', ')}`,
      },
      'self',
    ),
    'top?': type('1 <= number.integer <= 100000').describe(
      'rows to show (default: all languages, 20 of the others; all in JSON, of functions 20)',
    ),
    'jobs?': type('1 <= number.integer <= 64').describe('threads'),
    '+': 'reject',
  }),
  output: type({
    by: 'string',
    total: Row,
    rows: Row.array(),
    found: type('number.integer').describe('how many rows there are, those not listed included'),
    'top?': type('number.integer').describe('the number of rows that was asked for'),
    functions: FunctionType.array().describe('only by function'),
    skipped: type({ reason: 'string', files: 'number.integer' })
      .array()
      .describe('listed files that were not measured, by reason'),
  }),
  examples: [
    ['svc metrics', 'show the size and complexity of each language'],
    ['svc metrics src --by file --sort max_cognitive --top 10', 'find the files with the least readable functions'],
    ['svc metrics --by function --top 5 --json', 'print the five most complex functions as JSON'],
  ],

  async run({ paths = [], by, sort, top, jobs }, context) {
    // Before anything is read.
    if (by === 'function') findTopFunctions([], sort ?? 'cyclomatic', 1, () => [])
    const { measureFunctionsOf, measureRepository } = await import('../../scan/measure.ts')
    const measured = await measureRepository(paths, jobs, context)
    const { files } = measured
    const nameOf = {
      language: ({ language }: { language: string }) => LANGUAGES.get(language)?.display ?? language,
      directory: ({ path }: { path: string }) => findDirectory(path),
      file: ({ path }: { path: string }) => path,
    }
    const rows = by === 'function' ? [] : groupFiles(files, nameOf[by], sort ?? 'code_lines')
    const counts = new Map<string, number>()
    for (const { reason } of measured.skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1)
    return {
      by,
      total: sumFiles('total', files),
      rows: top === undefined ? rows : rows.slice(0, top),
      found: rows.length,
      ...(top !== undefined && { top }),
      functions:
        by === 'function'
          ? findTopFunctions(files, sort ?? 'cyclomatic', top ?? SHOWN, file => measureFunctionsOf(measured, file))
          : [],
      skipped: [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([reason, count]) => ({ reason, files: count })),
    }
  },

  text({ by, total, rows, found, top, functions, skipped }, view) {
    const shown = by === 'language' || view.verbose || top !== undefined ? rows : rows.slice(0, SHOWN)
    const lines = [by === 'function' ? formatFunctions(functions, view) : formatRows(by, shown, total, view)]
    if (shown.length < found)
      lines.push(
        `${formatCount(found - shown.length, 'more row')}; ${top === undefined ? '--verbose or --json' : 'a greater --top'} shows all.`,
      )
    if (total.not_measured > 0 && total.functions !== null && by !== 'function')
      lines.push(
        `Functions of ${formatCount(total.not_measured, 'file')} were not measured: svc does not know how their languages write them.`,
      )
    if (skipped.length > 0)
      lines.push(
        `Not measured: ${skipped.map(({ reason, files }) => `${formatCount(files, 'file')} ${reason}`).join(', ')}.`,
      )
    return lines.join('\n')
  },
})
