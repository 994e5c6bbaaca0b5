import { randomBytes } from 'node:crypto'
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { EngineError } from '../../base/errors.ts'

/** Workers of one machine that share a directory. */
const MOST_WORKERS = 256
/** Whoever is about to replace a mark has done so by then. */
const SETTLED_MS = 30
/** How often a worker shows that it still has its directory. */
const TOUCH_EVERY_MS = 20_000
/** A mark of another machine, or container, that is older than this is nobody's. */
const FORGOTTEN_MS = 120_000

/** Who is asking: the processes of two containers can have the same number. */
export interface Owner {
  host: string
  pid: number
}

/**
 * Takes a directory for this process below `root`: workers have one each, and a worker that begins anew has the mirrors of the
 * one that ended. `leave` gives it back.
 */
export function takeCacheFolder(
  root: string,
  owner: Owner = { host: hostname(), pid: process.pid },
): { folder: string; leave: () => void } {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  for (let number = 1; number <= MOST_WORKERS; number++) {
    const folder = join(root, `worker-${number}`)
    const mark = `${folder}.pid`
    const before = readMark(mark)
    if (before !== undefined && isTaken(mark, before, owner)) continue
    const own = take(mark, before, owner)
    if (own === undefined) continue
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const touching = setInterval(() => touch(mark), TOUCH_EVERY_MS).unref()
    const leave = () => {
      clearInterval(touching)
      if (readMark(mark) === own) rmSync(mark, { force: true })
    }
    return { folder, leave }
  }
  throw new EngineError('CONFLICT', `${MOST_WORKERS} workers use ${root} already.`, {
    hint: 'Give this worker a directory of its own with --cache-dir.',
  })
}

/** The directories below `root` that workers have now. */
export function listTakenFolders(root: string, owner: Owner = { host: hostname(), pid: process.pid }): string[] {
  return readdirSync(root)
    .filter(name => /^worker-\d+\.pid$/.test(name))
    .flatMap(name => {
      const mark = join(root, name)
      const text = readMark(mark)
      return text !== undefined && isTaken(mark, text, owner) ? [mark.slice(0, -'.pid'.length)] : []
    })
}

/** Puts this owner's mark in the place of the one that was seen there, and answers it; undefined where another was faster. */
function take(mark: string, before: string | undefined, { host, pid }: Owner): string | undefined {
  const name = `${mark}.${randomBytes(6).toString('hex')}`
  const own = `${pid} ${host} ${name.slice(-12)}`
  writeFileSync(name, own, { flag: 'wx', mode: 0o600 })
  try {
    if (before !== undefined && !removeMark(mark, before, `${name}.old`)) return undefined
    linkSync(name, mark)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined
    throw error
  } finally {
    rmSync(name, { force: true })
  }
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SETTLED_MS)
  return readMark(mark) === own ? own : undefined
}

/** Takes the mark away if it is the one that was seen: what has come in its place meanwhile is put back. */
function removeMark(mark: string, seen: string, aside: string): boolean {
  try {
    renameSync(mark, aside)
  } catch {
    return false
  }
  try {
    if (readMark(aside) === seen) return true
    linkSync(aside, mark)
    return false
  } finally {
    rmSync(aside, { force: true })
  }
}

function readMark(mark: string): string | undefined {
  try {
    return readFileSync(mark, 'utf8')
  } catch {
    return undefined
  }
}

function touch(mark: string): void {
  try {
    utimesSync(mark, new Date(), new Date())
  } catch {
    // The directory is gone, and the jobs will say so.
  }
}

function isTaken(mark: string, text: string, owner: Owner): boolean {
  const [, digits, host] = /^(\d{1,10}) (\S+)/.exec(text) ?? []
  const pid = Number(digits)
  const age = Math.abs(Date.now() - (statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0))
  // Of another machine, or of a process with this number in a container of the same name: only its age tells.
  if (digits === undefined || host !== owner.host || pid === owner.pid) return age < FORGOTTEN_MS
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
