import { EngineError } from '../../base/errors.ts'

/** What a coverage report says of one file: each line, or each block of Go, with its statements and whether a test ran it. */
export interface FileCoverage {
  /** As the report names it. */
  path: string
  /** By line number, or by a block's position. Merging the same unit twice keeps the one that was run. */
  units: Map<number | string, { weight: number; hit: boolean }>
}

/** Reads one report: its text, its path for errors. INPUT_INVALID with file and line where the text is not of the format. */
export type CoverageReader = (text: string, file: string) => Promise<FileCoverage[]> | FileCoverage[]

/** Collects units by file, in the order of the first mention. */
export class CoverageTally {
  readonly #files = new Map<string, FileCoverage>()

  add(path: string, unit: number | string, hit: boolean, weight = 1): void {
    let file = this.#files.get(path)
    if (!file) {
      file = { path, units: new Map() }
      this.#files.set(path, file)
    }
    addUnit(file, unit, { hit, weight })
  }

  files(): FileCoverage[] {
    return [...this.#files.values()]
  }
}

/** Adds a unit to a file; one that is there already counts as run where either says so. */
export function addUnit(
  file: FileCoverage,
  unit: number | string,
  { hit, weight }: { weight: number; hit: boolean },
): void {
  const known = file.units.get(unit)
  if (known) known.hit ||= hit
  else file.units.set(unit, { weight, hit })
}

/** The error of a report that is not what its format promises. A broken report is never taken for one without coverage. */
export function refuseReport(file: string, line: number, why: string): EngineError {
  return new EngineError('INPUT_INVALID', `The coverage report cannot be read: ${why}.`, {
    place: { file, line },
    hint: 'Create the report again, or delete it: without a report the score uses the ratio of test files to source files.',
  })
}
