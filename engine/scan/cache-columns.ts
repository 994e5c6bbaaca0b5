import { type FileMetric, METRIC_NAMES } from '../base/records/file-metrics.ts'

/** Texts that many rows share, each a column of numbers into a list of them. */
export const NAMED = ['encoding', 'class', 'named', 'language', 'rules'] as const

/** The numbers of the cache's rows. */
export interface Columns {
  sizes: Float64Array
  /** Where the row's path ends among the bytes of all paths, a NUL behind each. */
  pathEnds: Uint32Array
  /** As `encodeMetric` has them. */
  counts: Record<FileMetric, Int32Array>
  named: Record<(typeof NAMED)[number], Uint16Array>
  inTest: Uint8Array
}

const WIDE = 1 + METRIC_NAMES.length

/** Bytes of the widest number: where columns begin in a buffer is a multiple of it. */
export const NUMBER_BYTES = 8

/** Bytes of the numbers of so many rows. */
export const countColumnBytes = (count: number) => count * (8 + 4 * WIDE + 2 * NAMED.length + 1)

export function mapNamed<T>(make: (name: (typeof NAMED)[number]) => T): Record<(typeof NAMED)[number], T> {
  return {
    encoding: make('encoding'),
    class: make('class'),
    named: make('named'),
    language: make('language'),
    rules: make('rules'),
  }
}

/** Views of the numbers from `start` on, a multiple of NUMBER_BYTES; widest first, so that each is aligned. */
export function makeColumns(numbers: ArrayBuffer, count: number, start = 0): Columns {
  const wide = (index: number) => new Uint32Array(numbers, start + count * (8 + 4 * index), count)
  const signed = (index: number) => new Int32Array(numbers, start + count * (8 + 4 * index), count)
  const narrow = (index: number) => new Uint16Array(numbers, start + count * (8 + 4 * WIDE + 2 * index), count)
  return {
    sizes: new Float64Array(numbers, start, count),
    pathEnds: wide(0),
    counts: Object.fromEntries(METRIC_NAMES.map((name, index) => [name, signed(1 + index)])) as Columns['counts'],
    named: { encoding: narrow(0), class: narrow(1), named: narrow(2), language: narrow(3), rules: narrow(4) },
    inTest: new Uint8Array(numbers, start + count * (8 + 4 * WIDE + 2 * NAMED.length), count),
  }
}
