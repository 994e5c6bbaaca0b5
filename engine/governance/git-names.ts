import { parsePathName } from '../base/text/path-name.ts'

/** The paths in an answer of git that ends each with a NUL (`-z`). */
export function splitNames(output: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; at < output.length; ) {
    const next = output.indexOf(0, at)
    const end = next === -1 ? output.length : next
    names.push(parsePathName(output.subarray(at, end)).path)
    at = end + 1
  }
  return names
}
