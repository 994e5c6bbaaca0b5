import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError } from '../../base/errors.ts'

/** Workers of one machine that share a directory. */
const MOST_WORKERS = 256
/** Whoever is about to replace a mark has done so by then. */
const SETTLED_MS = 30

/**
 * Takes a directory for this process below `root`: workers of one machine have one each, and a worker that begins anew has the mirrors of the
 * one that ended. `leave` gives it back.
 */
export function takeCacheFolder(root: string): { folder: string; leave: () => void } {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  for (let number = 1; number <= MOST_WORKERS; number++) {
    const folder = join(root, `worker-${number}`)
    const mark = `${folder}.pid`
    if (isTaken(mark)) continue
    if (!take(mark)) continue
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return { folder, leave: () => rmSync(mark, { force: true }) }
  }
  throw new EngineError('CONFLICT', `${MOST_WORKERS} workers use ${root} already.`, {
    hint: 'Give this worker a directory of its own with --cache-dir.',
  })
}

/** Marks the directory as this process's. Of two that found the same mark of a dead process, the one that wrote last has it. */
function take(mark: string): boolean {
  rmSync(mark, { force: true })
  try {
    const file = openSync(mark, 'wx', 0o600)
    writeSync(file, String(process.pid))
    closeSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SETTLED_MS)
  return readFileSync(mark, 'utf8') === String(process.pid)
}

function isTaken(mark: string): boolean {
  let pid: number
  try {
    pid = Number(readFileSync(mark, 'utf8'))
  } catch {
    return false
  }
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
