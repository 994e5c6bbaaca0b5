/** Extensions of files whose calls of other files are followed. */
const NAME = /\.(?:[cm]?[jt]sx?|py|java|kt|scala|cs|go|php|rb|rs|lua|exs?|swift|dart)$/

/** Whether a path is one of a language whose calls of other files are followed; cheap. */
export function hasCrossFileName(path: string): boolean {
  return NAME.test(path)
}
