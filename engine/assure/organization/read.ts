import { connect } from '../../sources/store/duckdb.ts'
import { runFiles } from '../../sources/store/layout.ts'
import { type ProjectRun, readProjectRuns } from '../../sources/store/project-runs.ts'
import { findProjects } from './find-projects.ts'
import { makeOrganization, type Organization } from './overview.ts'

/** Runs of one repository that are read before it counts as scanned in part only. */
const MOST_RUNS = 12

/** Runs of each repository in one query. */
const STEP = 2

/**
 * The repositories below a directory with their latest runs, read side by side. Runs of a part are passed over: the newest two runs of the
 * whole repository are looked for among the last twelve.
 */
export async function readOrganization(root: string, date: string, stale_days: number): Promise<Organization> {
  const { projects, omitted } = await findProjects(root)
  const read = new Map(projects.map(({ path }) => [path, { runs: [] as ProjectRun[], unreadable: [] as string[] }]))
  const connection = await connect()
  try {
    for (let from = 0; from < MOST_RUNS; from += STEP) {
      const asked = projects.filter(({ path, runs }) => runs.length > from && countWhole(read.get(path)!.runs) < 2)
      const files = new Map(
        asked.flatMap(({ path, out, runs }) =>
          runs.slice(from, from + STEP).map(id => [runFiles(out, id).run, { path, id }] as const),
        ),
      )
      if (files.size === 0) break
      for (const run of await readProjectRuns(connection, [...files.keys()])) {
        read.get(files.get(run.file)!.path)!.runs.push(run)
        files.delete(run.file)
      }
      for (const { path, id } of files.values()) read.get(path)!.unreadable.push(id)
    }
  } finally {
    connection.closeSync()
  }
  for (const { runs } of read.values()) runs.sort((a, b) => (a.id < b.id ? 1 : -1))
  return makeOrganization(projects, read, { date, stale_days, omitted })
}

function countWhole(runs: readonly ProjectRun[]): number {
  return runs.filter(({ scope }) => scope === 'everything').length
}
