import { open, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { readOwn } from './own-folder.ts'

/** Somebody's turn takes some renames; one that is so old belongs to a process that is gone, or to a clock that has jumped. */
const STALE_MS = 10_000
const LOOK_AGAIN_MS = 5

/** The same for a turn of minutes, which is touched meanwhile: also where the machine has so much to do that nobody gets to that for long. */
const LONG_STALE_MS = 60_000
const TOUCH_EVERY_MS = 5000
const LOOK_AGAIN_LONG_MS = 50

/**
 * Does the work while no other process that asks for the same `file` does its own: whoever makes the file has the turn. It must be short. A
 * turn whose process is gone is taken over. (Two that take over in the same instant could both have it; that needs a kill in the
 * middle of some renames, and two processes that come upon what it left at once.)
 */
export async function runInTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
  while (!(await take(file, STALE_MS))) await pause(LOOK_AGAIN_MS)
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}

/** The same for work that may take minutes. Rejects with the signal while it waits. */
export async function runInLongTurn<T>(file: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  while (!(await take(file, LONG_STALE_MS))) await pause(LOOK_AGAIN_LONG_MS, undefined, { signal })
  return holdLong(file, work)
}

/** Does the work where nobody has the long turn now; undefined where somebody has. */
export async function runInFreeTurn<T>(file: string, work: () => Promise<T>): Promise<T | undefined> {
  return (await take(file, LONG_STALE_MS)) ? holdLong(file, work) : undefined
}

async function holdLong<T>(file: string, work: () => Promise<T>): Promise<T> {
  const touching = setInterval(() => {
    const now = new Date()
    // Where somebody has removed it, nothing is to be shown.
    utimes(file, now, now).catch(() => {})
  }, TOUCH_EVERY_MS).unref()
  try {
    return await work()
  } finally {
    clearInterval(touching)
    await rm(file, { force: true })
  }
}

/** Whether the turn is this process's now; one that is nobody's any more is removed, for the next attempt. */
async function take(file: string, stale_ms: number): Promise<boolean> {
  for (;;) {
    try {
      const handle = await open(file, 'wx')
      await handle.writeFile(`${process.pid} ${hostname()}`).finally(() => handle.close())
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    if (!(await isStale(file, stale_ms))) return false
    await rm(file, { force: true })
  }
}

/** Whether the process whose turn it is has gone. False where the turn has just ended. */
async function isStale(file: string, stale_ms: number): Promise<boolean> {
  try {
    const age = Date.now() - (await stat(file)).mtimeMs
    if (Math.abs(age) > stale_ms) return true
    const [, pid, host] = /^(\d+) (.*)$/.exec(String(readOwn(file, 4096))) ?? []
    if (pid === undefined || host !== hostname()) return false
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
