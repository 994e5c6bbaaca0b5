/** The folder of the built program (dist/), whether this runs from it or from the sources in a test. */
export const DIST = import.meta.url.endsWith('.ts')
  ? new URL('../dist/', import.meta.url)
  : new URL('./', import.meta.url)
