/** Where something stands in a file, as people count. */
export interface Stretch {
  line: number
  column: number
  end_line: number
  end_column: number
}

/** A function that other files may call and that frees what a parameter points to, whatever happens. */
export interface SharedRelease extends Stretch {
  name: string
  /** The number of the parameter. The location is that of the call that frees it. */
  parameter: number
  /** A function of another file that frees it, by its name and the number of its parameter; the location is that of the call. */
  by?: { name: string; parameter: number }
}

/** What other files need to know of the functions of a file of C or C++, to tell which blocks are freed; and what it needs to know of theirs. */
export interface ReleaseFacts {
  releases: SharedRelease[]
  /** Names of functions and macros that other files may call, that are called like a release, and of which it is not known what they do. */
  unknown: string[]
  /** Names of functions of other files that are called like a release, and that a pointer is passed to which is used or freed again. */
  asked: string[]
}
