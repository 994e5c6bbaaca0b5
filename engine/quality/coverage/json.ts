import { type CoverageReader, CoverageTally, refuseReport } from './report.ts'

type Json = Record<string, unknown>

/** coverage.py's JSON report (`coverage json`): `files.<path>.executed_lines` and `missing_lines`. */
export const readCoveragePy: CoverageReader = (text, file) => {
  const { files } = parse(text, file)
  if (!isObject(files)) throw refuseReport(file, 1, 'it has no object `files`')
  const tally = new CoverageTally()
  for (const [path, entry] of Object.entries(files)) {
    for (const [key, hit] of [
      ['executed_lines', true],
      ['missing_lines', false],
    ] as const) {
      const lines = isObject(entry) ? entry[key] : undefined
      if (!Array.isArray(lines) || !lines.every(Number.isInteger))
        throw refuseReport(file, lineOf(text, path), `${key} of ${path} is no list of line numbers`)
      for (const line of lines as number[]) tally.add(path, line, hit)
    }
  }
  return tally.files()
}

/** SimpleCov's `.resultset.json`: per command `coverage.<path>.lines`, a count for each line, null where there is no code. */
export const readSimpleCov: CoverageReader = (text, file) => {
  const tally = new CoverageTally()
  const sets = Object.values(parse(text, file))
  if (sets.length === 0) throw refuseReport(file, 1, 'it has no result set')
  for (const set of sets) {
    if (!isObject(set) || !isObject(set.coverage)) throw refuseReport(file, 1, 'a result set has no object `coverage`')
    for (const [path, entry] of Object.entries(set.coverage)) {
      // Before version 0.18 the list itself stood there.
      const lines = Array.isArray(entry) ? entry : isObject(entry) ? entry.lines : undefined
      if (!Array.isArray(lines)) throw refuseReport(file, lineOf(text, path), `${path} has no list of lines`)
      for (const [index, count] of lines.entries()) {
        if (count === null || count === 'ignored') continue
        if (typeof count !== 'number')
          throw refuseReport(file, lineOf(text, path), `line ${index + 1} of ${path} is no count`)
        tally.add(path, index + 1, count > 0)
      }
    }
  }
  return tally.files()
}

/** The object in a text. Where it is no JSON, the error has the line of the fault. */
function parse(text: string, file: string): Json {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const message = (error as Error).message
    const position = /at position (\d+)/.exec(message)?.[1]
    // V8 names no position where the text ends too early.
    const end = position === undefined ? text.length : Number(position)
    throw refuseReport(file, text.slice(0, end).split('\n').length, 'it is not JSON')
  }
  if (!isObject(value)) throw refuseReport(file, 1, 'it is no JSON object')
  return value
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The line of a key, 1 where it is written with escapes. */
function lineOf(text: string, key: string): number {
  const at = text.indexOf(JSON.stringify(key))
  return at === -1 ? 1 : text.slice(0, at).split('\n').length
}
