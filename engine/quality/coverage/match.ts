import { addUnit, type FileCoverage } from './report.ts'

/** Coverage of listed files. */
export interface MatchedCoverage {
  /** By listed path. */
  files: Map<string, FileCoverage>
  /** Paths of the report that are no listed file, or that could be several. */
  unmatched: string[]
}

/**
 * Finds the listed file of each path in a report by the longest common suffix of whole path segments: reports name files absolutely, from a
 * package or from an import path. `project` is the directory of the project that the report belongs to, with a slash at the end: its file
 * comes first where two fit equally well, and a file outside of it must be named by its whole path from the root. A path that still fits two
 * files is unmatched.
 */
export function matchCoverage(
  reports: readonly FileCoverage[],
  listed: readonly string[],
  project = '',
): MatchedCoverage {
  const byName = new Map<string, string[]>()
  for (const path of listed) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const paths = byName.get(name)
    if (paths) paths.push(path)
    else byName.set(name, [path])
  }
  const files = new Map<string, FileCoverage>()
  const unmatched: string[] = []
  for (const report of reports) {
    const path = report.path.replaceAll('\\', '/').replace(/^\.\//, '')
    const found = findLongest(path, byName.get(path.slice(path.lastIndexOf('/') + 1)) ?? [], project)
    if (found === undefined) {
      unmatched.push(report.path)
      continue
    }
    const file = files.get(found) ?? { path: found, units: new Map() }
    files.set(found, file)
    for (const [unit, run] of report.units) addUnit(file, unit, { ...run })
  }
  return { files, unmatched }
}

/**
 * The candidate that shares the most trailing segments with the path; of several the one that the path names from the project or whole;
 * undefined where that is not one.
 */
function findLongest(path: string, candidates: readonly string[], project: string): string | undefined {
  const segments = path.split('/').filter(Boolean).reverse()
  let best: string | undefined
  let most = 0
  let isTied = false
  for (const candidate of candidates) {
    const own = candidate.split('/').reverse()
    let shared = 0
    while (shared < own.length && own[shared] === segments[shared]) shared++
    const isNamedWhole = shared === own.length
    if (!isNamedWhole && !candidate.startsWith(project)) continue
    // All of the shorter path must be in the longer one: `b/x.ts` is not `a/x.ts`.
    const isWhole = isNamedWhole || shared === segments.length
    if (!isWhole && shared < 2) continue
    // Half a segment more decides among those that share as many.
    const rank = shared + (candidate === `${project}${path}` ? 0.5 : isNamedWhole ? 0.25 : 0)
    if (rank > most) [best, most, isTied] = [candidate, rank, false]
    else if (rank === most) isTied = true
  }
  return isTied ? undefined : best
}
