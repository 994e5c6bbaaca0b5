/**
 * What a scan counts of each file, in the order of the columns that keep it: lines (the last one without an end too), lines with nothing on
 * them, and bytes of the longest line, its end aside. A metric is a name here and a counter where it is counted; what keeps and stores
 * metrics goes by this list.
 */
export const METRIC_NAMES = ['lines', 'blank_lines', 'longest_line'] as const

export type FileMetric = (typeof METRIC_NAMES)[number]

/** The metrics of one file, or of a text in it. */
export type FileMetrics = Record<FileMetric, number>

/** Metrics by what gives each one; called for each file, so it makes nothing but them. */
export function makeMetrics(count: (name: FileMetric, index: number) => number): FileMetrics {
  const metrics = {} as FileMetrics
  for (let index = 0; index < METRIC_NAMES.length; index++) {
    const name = METRIC_NAMES[index]!
    metrics[name] = count(name, index)
  }
  return metrics
}

/** Of what was not counted. */
export function makeZeroMetrics(): FileMetrics {
  return makeMetrics(() => 0)
}
