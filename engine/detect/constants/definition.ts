/** A value that stands under a name in a file of the repository; its place as people count lines and columns. */
export interface Definition {
  /** Dotted: `tls.verify` of a file of settings or a map, `Algorithms.CIPHER` of a class or an enumeration. */
  name: string
  value: string | number | boolean
  line: number
  column: number
  end_column: number
}

/** Definitions that are read of one file; what has more was made by a program. */
export const MOST_DEFINITIONS = 2000
