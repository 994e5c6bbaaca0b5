import { createHash } from 'node:crypto'
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { isFolder } from '../../base/disk/output-file.ts'
import { ignoreAll, refuseLinked } from '../../base/disk/own-folder.ts'
import { registerTemporary } from '../../base/disk/temporary.ts'
import { EngineError } from '../../base/errors.ts'
import { isOwnOutput, MARKER } from '../repository/own-output.ts'

/** Folders in the making begin so; no reader looks at them. */
const TEMPORARY = '.tmp-'
/** A temporary folder older than this belongs to a process that was killed, on whatever machine it ran. */
const ABANDONED_AFTER_MS = 3_600_000

/** Where the runs are: `<out>/history`. */
export function locateHistory(out: string): string {
  return join(out, 'history')
}

/** The files of one run. */
export function runFiles(out: string, id: string): { folder: string; run: string; findings: string; files: string } {
  const folder = join(locateHistory(out), id)
  return {
    folder,
    run: join(folder, 'run.json'),
    findings: join(folder, 'findings.parquet'),
    files: join(folder, 'files.parquet'),
  }
}

/** Names of the complete runs, in no order. A missing history is an empty one. */
export async function runFolders(out: string): Promise<string[]> {
  try {
    const entries = await readdir(locateHistory(out), { withFileTypes: true })
    return entries.filter(entry => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

/** What is made before anything else: a directory that holds no more was left unfinished, as on a full disk, and is still new. */
const FIRST_NAMES = new Set([MARKER, '.gitignore'])

/**
 * The output directory, made where it is missing; a new one tells git to ignore what is in it. PATH_ESCAPES where its history is linked,
 * CONFLICT where a directory of the project's own stands there: nothing of it is replaced.
 */
export function makeOut(out: string): void {
  refuseLinked(out, 'history')
  if (!isOwnOutput(out) && isFolder(out)) throw foreign(basename(out))
  const isNew = makeFolders(out) !== undefined || readdirSync(out).every(name => FIRST_NAMES.has(name))
  makeMarker(out)
  if (isNew) ignoreAll(out, '# Written by svc: reports and runs can be created again.\n')
}

/** Marks a directory as svc's. One that is from before there was the marker, and cannot be written to any more, stays as it is. */
function makeMarker(out: string): void {
  try {
    writeFileSync(join(out, MARKER), 'This directory belongs to svc, which replaces the files in it.\n', { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function foreign(name: string): EngineError {
  return new EngineError(
    'CONFLICT',
    `${name}/ contains files that svc did not write, and svc would replace some of them.`,
    {
      hint: 'Name another directory: output_dir in .svc/config.yaml (`svc init` writes one), or --output-dir for one command.',
    },
  )
}

/** A new temporary folder of this process for a run, beside the runs, so that a rename publishes it. */
export async function makeTemporary(out: string, id: string): Promise<string> {
  const folder = join(locateHistory(out), `${TEMPORARY}${id}-${writerName()}`)
  makeFolders(locateHistory(out))
  await rm(folder, { recursive: true, force: true })
  registerTemporary(folder)
  await mkdir(folder)
  return folder
}

/**
 * Takes a run out of sight in one step, then removes its files; a process killed in between leaves only a temporary folder.
 * False where another process has removed it meanwhile.
 */
export async function removeRun(out: string, id: string): Promise<boolean> {
  const doomed = join(locateHistory(out), `${TEMPORARY}${id}-removed-${writerName()}`)
  try {
    await rename(runFiles(out, id).folder, doomed)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  await rm(doomed, { recursive: true, force: true })
  return true
}

/** Names this process for others: `<process>-<where it has this number>`. Containers have numbers of their own, so the host alone does not do. */
function writerName(): string {
  let namespace = ''
  try {
    namespace = readlinkSync('/proc/self/ns/pid')
  } catch {
    // Not Linux: the numbers are the host's.
  }
  const where = createHash('sha256').update(`${hostname()} ${namespace}`).digest('hex').slice(0, 8)
  return `${process.pid}-${where}`
}

/** Whether the writer of a temporary folder is a process of this host that no longer runs. */
function isWriterGone(name: string): boolean {
  const [, pid, where] = /-(\d+)-([0-9a-f]{8})$/.exec(name) ?? []
  if (pid === undefined || !writerName().endsWith(`-${where}`)) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/**
 * Removes what killed processes left behind: at once where it can be seen that the process has gone, else what is more than an hour
 * older than `fresh`, a folder that was just made, since the disk may be another machine's, with its own clock.
 */
export async function removeAbandoned(out: string, fresh: string): Promise<void> {
  const history = locateHistory(out)
  const { mtimeMs: now } = await stat(fresh)
  for (const name of await readdir(history)) {
    if (!name.startsWith(TEMPORARY)) continue
    const folder = join(history, name)
    const age = await stat(folder).then(
      ({ mtimeMs }) => now - mtimeMs,
      () => 0, // gone: its writer has just published or removed it
    )
    // Also where a clock ran ahead once: it would be waited for a long time.
    if (isWriterGone(name) || Math.abs(age) > ABANDONED_AFTER_MS) await rm(folder, { recursive: true, force: true })
  }
}
