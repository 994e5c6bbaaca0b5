import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { readLinked, readOwn, UnreadableFile } from '../../base/disk/own-folder.ts'
import { EngineError } from '../../base/errors.ts'
import type { StateCounts } from '../../base/records/framework.ts'
import type { Run } from '../../base/records/run.ts'
import { runFiles, runFolders } from './layout.ts'
import { isRunId } from './run-id.ts'

/** A run without its long lists; they are in `run(id)`. */
export type RunSummary = Omit<Run, 'skipped' | 'not_evaluated' | 'notices' | 'frameworks'>

/** A folder in the history that is no readable run, and why. */
export interface Damaged {
  id: string
  reason: string
}

export interface RunList {
  /** Newest first, by `getOrder`. */
  runs: RunSummary[]
  damaged: Damaged[]
}

/** The runs of the whole repository. */
export interface WholeRuns {
  /** Newest first. */
  runs: RunSummary[]
  /** What cannot be read and is newer than the first of them, so that it may have been the latest; all of it where there is no run. */
  damaged: Damaged[]
}

/** Scans of a part say nothing of the whole repository. Ids begin with the time of the run. */
export function selectWholeRuns({ runs, damaged }: RunList): WholeRuns {
  const whole = runs.filter(({ scope }) => scope === 'everything')
  const [latest] = whole
  return { runs: whole, damaged: latest ? damaged.filter(({ id }) => id > latest.id) : damaged }
}

/** Every stored run. A damaged one is told apart and takes no other down. */
export async function listRuns(out: string): Promise<RunList> {
  const runs: RunSummary[] = []
  const damaged: Damaged[] = []
  for (const id of (await runFolders(out)).sort()) {
    try {
      const { skipped: _s, not_evaluated: _e, notices: _n, frameworks: _f, ...summary } = await readRun(out, id)
      runs.push(summary)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      // Pruned by another process since the folder was listed: no damage.
      if (error.code === 'STORE_UNREADABLE') damaged.push({ id, reason: error.message })
    }
  }
  runs.sort((a, b) => compareText(getOrder(b), getOrder(a)))
  return { runs, damaged }
}

/**
 * A text that sorts runs by when they were: by start, then by id. One that was made after another whose time is later, because the
 * clock was set back in between, stands behind that one (`follows`).
 */
export function getOrder({ started_at, follows, id }: Pick<Run, 'started_at' | 'follows' | 'id'>): string {
  return `${follows ?? started_at} ${id}`
}

/** Clocks of machines that share a folder differ by less; runs at the same time are in the order of their starts. */
const CLOCKS_DIFFER_MS = 60_000

/** What a run that is written at `now` is to say that it `follows`: just behind the latest one where that one's time lies ahead, else nothing. */
export async function findTimeAhead(out: string, now: number): Promise<string | undefined> {
  let latest: Partial<Run> | null | undefined
  try {
    latest = JSON.parse(String(readOwn(join(out, 'run.json')))) as Partial<Run> | null
  } catch {
    latest = (await listRuns(out)).runs[0]
  }
  const time = Date.parse(latest?.follows ?? latest?.started_at ?? '')
  return time > now + CLOCKS_DIFFER_MS ? new Date(time + 1).toISOString() : undefined
}

/** A run's record. RUN_NOT_FOUND where there is none of that id, STORE_UNREADABLE where a file of it is missing or cut off. */
export async function readRun(out: string, id: string): Promise<Run> {
  if (!isRunId(id)) throw describeNotFound(id)
  const files = runFiles(out, id)
  const bytes = readRecord(files.run, id)
  if (!bytes) {
    if ((await runFolders(out)).includes(id)) throw describeUnreadable(id, 'its run.json cannot be parsed')
    throw describeNotFound(id)
  }
  const run = parseRun(id, bytes.toString('utf8'))
  for (const name of ['findings', 'files'] as const) {
    if (!wholeParquet(files[name])) throw describeUnreadable(id, `its ${name}.parquet is missing or cut off`)
  }
  return run
}

function readRecord(path: string, id: string): Buffer | undefined {
  try {
    return readLinked(path)
  } catch (error) {
    throw error instanceof UnreadableFile ? describeUnreadable(id, error.message.replace(/\.$/, ''), error) : error
  }
}

/** Why there is no latest run: STORE_UNREADABLE where there is a damaged one, else RUN_NOT_FOUND. */
export function refuseWithoutRun([first]: readonly Damaged[]): EngineError {
  return first ? new EngineError('STORE_UNREADABLE', first.reason) : refuseNeverScanned()
}

/** No run was ever stored here. */
export function refuseNeverScanned(): EngineError {
  return new EngineError('RUN_NOT_FOUND', 'This repository has not been scanned yet.', {
    hint: 'Run `svc scan` first.',
  })
}

export function describeUnreadable(id: string, why: string, cause?: unknown): EngineError {
  return new EngineError('STORE_UNREADABLE', `The run ${id} cannot be read: ${why}.`, {
    hint: 'Remove its directory from out/history, or restore it; the other runs are not affected.',
    cause,
  })
}

export function describeNotFound(id: string): EngineError {
  return new EngineError('RUN_NOT_FOUND', `There is no run ${JSON.stringify(id)}.`, {
    hint: 'List the runs with `svc history-report --list`.',
  })
}

function parseRun(id: string, text: string): Run {
  let run: Partial<Run> | null
  try {
    run = JSON.parse(text) as Partial<Run> | null
  } catch (error) {
    throw describeUnreadable(id, 'its run.json is not JSON', error)
  }
  if (run?.id !== id) throw describeUnreadable(id, 'its run.json is of another run')
  if (typeof run.started_at !== 'string' || typeof run.scope !== 'string' || !run.counts) {
    throw describeUnreadable(id, 'its run.json lacks the time, the scope or the counts')
  }
  if (run.frameworks) renameStates(run.frameworks)
  return run as Run
}

/** Older programs wrote the state of a control with a hyphen, and had none for what was not evaluated. */
function renameStates(frameworks: NonNullable<Run['frameworks']>): void {
  for (const { counts, controls } of frameworks) {
    const old = counts as StateCounts & { 'not-applicable'?: number }
    if (old['not-applicable'] === undefined) continue
    counts.not_applicable = old['not-applicable']
    counts.not_evaluated = 0
    delete old['not-applicable']
    for (const control of controls) if ((control.state as string) === 'not-applicable') control.state = 'not_applicable'
  }
}

/** Whether a file begins and ends as a Parquet file does, with a footer that fits in it: catches what is missing, empty or cut off. */
function wholeParquet(path: string): boolean {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch {
    return false
  }
  try {
    const stats = fstatSync(fd)
    const { size } = stats
    if (!stats.isFile()) return false
    const ends = Buffer.alloc(12)
    if (size < 12 || readSync(fd, ends, 0, 4, 0) !== 4 || readSync(fd, ends, 4, 8, size - 8) !== 8) return false
    const magic = ends.toString('latin1', 0, 4) + ends.toString('latin1', 8, 12)
    return magic === 'PAR1PAR1' && ends.readUInt32LE(4) <= size - 12
  } catch {
    return false
  } finally {
    closeSync(fd)
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
