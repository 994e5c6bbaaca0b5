/**
 * What a scan counts of each file, by the name that the cache, files.parquet and the reports give it. A metric is a row here and a counter
 * where it is counted; what keeps, stores and shows them goes by this table.
 */
export const FILE_METRICS = {
  lines: 'lines, the last one without an end too',
  blank_lines: 'lines with nothing on them',
  longest_line: 'bytes of the longest line, its end aside',
} as const

export type FileMetric = keyof typeof FILE_METRICS

/** The metrics of one file, or of a text in it. */
export type FileMetrics = Record<FileMetric, number>

/** The names of the metrics, in the order of their columns. */
export const METRIC_NAMES = Object.keys(FILE_METRICS) as FileMetric[]

/** Metrics by what gives each one. */
export function makeMetrics(count: (name: FileMetric, index: number) => number): FileMetrics {
  return Object.fromEntries(METRIC_NAMES.map((name, index) => [name, count(name, index)])) as FileMetrics
}

/** Of what was not counted. */
export function zeroMetrics(): FileMetrics {
  return makeMetrics(() => 0)
}
