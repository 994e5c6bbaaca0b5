import { connect } from '../../sources/store/duckdb.ts'
import { type ComparedRun, findGateRun } from '../../sources/store/gate-run.ts'
import { runFiles } from '../../sources/store/layout.ts'
import { type ProjectRun, readProjectRuns } from '../../sources/store/project-runs.ts'
import { getOrder } from '../../sources/store/runs.ts'
import { findProjects } from './find-projects.ts'
import { makeOrganization, type Organization } from './overview.ts'

/** Runs of one repository that are read before it counts as scanned in part only. */
const MOST_RUNS = 12

/** Runs that are read to find the gate of the shown run's tree. */
const MOST_FOR_GATE = 4
const WHOLE = 'everything'

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
      const asked = projects.filter(({ path, runs: { length } }) => {
        const { runs } = read.get(path)!
        return length > from && (countWhole(runs) < 2 || (from < MOST_FOR_GATE && lacksGate(runs)))
      })
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
  for (const { runs } of read.values()) {
    // By the time and not by the id, which has seconds: a gate and a scan can be of the same one.
    runs.sort((a, b) => (getOrder(a) < getOrder(b) ? 1 : -1))
    adoptGate(runs)
  }
  return makeOrganization(projects, read, { date, stale_days, omitted })
}

/** Whether no gate is known for the shown run: none ran in it, nor in another of the same tree that was read. */
function lacksGate(runs: readonly ProjectRun[]): boolean {
  const [shown, ...earlier] = runs.filter(({ scope }) => scope === WHOLE).map(toCompared)
  return shown?.git_sha !== undefined && findGateRun(shown, earlier) === undefined
}

/** Gives the shown run the decision of the gate that ran on its tree in an earlier run. */
function adoptGate(runs: readonly ProjectRun[]): void {
  const [shown, ...earlier] = runs.filter(({ scope }) => scope === WHOLE)
  if (!shown || shown.gate !== undefined) return
  const found = findGateRun(toCompared(shown), earlier.map(toCompared))
  if (found) Object.assign(shown, { gate: found.gate, gate_run_id: found.id })
}

function toCompared(run: ProjectRun): ComparedRun {
  return { ...run, counts: run }
}

function countWhole(runs: readonly ProjectRun[]): number {
  return runs.filter(({ scope }) => scope === WHOLE).length
}
