import { type } from 'arktype'

const Metric = type('number | null').describe('null where it was not measured')

/** The schema of a file of a run in an answer; docs/metrics.md defines each metric. */
export const StoredFileType = type({
  path: 'string',
  language: 'string',
  bytes: 'number.integer',
  findings: 'number.integer',
  lines: Metric,
  longest_line: Metric,
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
})
