/** What a scan counts of every file, on the way. */
const COUNTED_ALWAYS = ['lines', 'longest_line'] as const

/**
 * What a scan counts of each file, in the order of the columns that keep it: lines (the last one without an end too), those of code, comment
 * and blank ones, bytes of the longest line, its end aside; functions, lines of the longest one, deepest nesting of control structures in one,
 * cyclomatic and cognitive complexity of all functions together and of the most complex one, most parameters of one. A metric is a name here and
 * a counter where it is counted; what keeps and stores metrics goes by this list. docs/metrics.md defines each.
 */
export const METRIC_NAMES = [
  'lines',
  'code_lines',
  'comment_lines',
  'blank_lines',
  'longest_line',
  'functions',
  'longest_function',
  'max_nesting',
  'cyclomatic',
  'max_cyclomatic',
  'cognitive',
  'max_cognitive',
  'max_parameters',
] as const

export type FileMetric = (typeof METRIC_NAMES)[number]

/** The size of a text, which the pass over its bytes counts. */
export type TextSize = Record<(typeof COUNTED_ALWAYS)[number], number>

/** What is counted only where somebody asks for it, and only of languages that have it; null where it was not measured, which is not 0. */
export type CodeMetrics = Record<Exclude<FileMetric, keyof TextSize>, number | null>

/** The metrics of one file. */
export type FileMetrics = TextSize & CodeMetrics

/** A metric that was not measured, where only numbers can be kept. */
const NOT_MEASURED = -1

/** Metrics by what gives each one; called for each file, so it makes nothing but them. */
export function makeMetrics(count: (name: FileMetric, index: number) => number | null): FileMetrics {
  const metrics = {} as Record<FileMetric, number | null>
  for (let index = 0; index < METRIC_NAMES.length; index++) {
    const name = METRIC_NAMES[index]!
    metrics[name] = count(name, index)
  }
  return metrics as FileMetrics
}

/** Of what was not measured. */
export function makeUnmeasured(): FileMetrics {
  return { ...makeMetrics(() => null), lines: 0, longest_line: 0 }
}

/** A metric as a whole number that can stand in a column of numbers. */
export function encodeMetric(value: number | null): number {
  return value ?? NOT_MEASURED
}

/** A metric again, of a number that `encodeMetric` gave. */
export function decodeMetric(value: number): number | null {
  return value === NOT_MEASURED ? null : value
}
