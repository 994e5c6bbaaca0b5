import { open, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { readOwn } from './own-folder.ts'

/** Somebody's turn takes some renames; one that is so old belongs to a process that is gone, or to a clock that has jumped. */
const STALE_MS = 10_000
const LOOK_AGAIN_MS = 5

/**
 * Does the work while no other process that asks for the same `file` does its own: whoever makes the file has the turn. It must be short. A
 * turn whose process is gone is taken over. (Two that take over in the same instant could both have it; that needs a kill in the
 * middle of some renames, and two processes that come upon what it left at once.)
 */
export async function runInTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
  await take(file)
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}

async function take(file: string): Promise<void> {
  for (;;) {
    try {
      const handle = await open(file, 'wx')
      await handle.writeFile(`${process.pid} ${hostname()}`).finally(() => handle.close())
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    if (await isStale(file)) await rm(file, { force: true })
    else await pause(LOOK_AGAIN_MS)
  }
}

/** Whether the process whose turn it is has gone. False where the turn has just ended. */
async function isStale(file: string): Promise<boolean> {
  try {
    const age = Date.now() - (await stat(file)).mtimeMs
    if (Math.abs(age) > STALE_MS) return true
    const [, pid, host] = /^(\d+) (.*)$/.exec(String(readOwn(file, 4096))) ?? []
    if (pid === undefined || host !== hostname()) return false
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
