import { join } from 'node:path'
import { readOwn } from '../../base/disk/own-folder.ts'
import { EngineError } from '../../base/errors.ts'
import type { Run } from '../../base/records/run.ts'
import { MANIFEST } from './keys.ts'
import { putLatest, type Standing } from './latest.ts'
import type { ObjectStore } from './objects.ts'
import { createRunStore } from './run-store.ts'

/**
 * What follows the storing of a run: its project's latest row, unless the run is of a pull request or another branch (`isLatest`), and the removal of the
 * oldest runs past `retention`. May be repeated.
 */
export async function publishRun(
  objects: ObjectStore,
  key: string,
  runFolder: string,
  {
    retention = Number.POSITIVE_INFINITY,
    isLatest = true,
    standing,
  }: { retention?: number; isLatest?: boolean; standing?: Standing | undefined } = {},
): Promise<void> {
  // What svc keeps beside the runs, such as parts of one.
  if (key.startsWith('_')) return
  const at = key.lastIndexOf('/')
  const [project, id] = [key.slice(0, at), key.slice(at + 1)]
  const run = readRecord(runFolder)
  if (at < 1 || run.id !== id)
    throw new EngineError('INPUT_INVALID', `The run ${run.id} cannot have the key ${key}.`, {
      hint: 'A key is <project>/<run-id>.',
    })
  if (isLatest) await putLatest(objects, project, run, standing)
  if (retention === Number.POSITIVE_INFINITY) return
  const runs = createRunStore(objects)
  const keys = (await runs.list(`${project}/`)).filter(each => each.lastIndexOf('/') === at)
  for (const each of keys.slice(0, -retention)) await runs.remove(each)
}

function readRecord(runFolder: string): Run {
  let run: Partial<Run> | null = null
  try {
    run = JSON.parse(String(readOwn(join(runFolder, MANIFEST)))) as Partial<Run> | null
  } catch {
    // Said below.
  }
  if (typeof run?.id !== 'string' || !run.counts || !Array.isArray(run.not_evaluated))
    throw new EngineError('STORE_UNREADABLE', `${MANIFEST} of the run is no record of a run.`, {
      hint: 'Scan the commit again.',
    })
  return run as Run
}
