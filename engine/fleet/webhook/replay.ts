import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFault } from '../../base/disk/disk.ts'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { locateUserState } from '../../base/disk/user-state.ts'
import { EngineError } from '../../base/errors.ts'

/** Days for which deliveries are remembered: providers send one again for three days at most. */
const REMEMBERED_DAYS = 7
const DAY_MS = 86_400_000

/**
 * Remembers a delivery by its marks, each an empty file in a directory of the day, which one of many processes can make. CONFLICT where one of them
 * is known. `forget` takes them back, for a delivery that nothing came of, so that the provider can send it again.
 */
export function rememberDelivery(
  marks: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  now = Date.now(),
): { forget(): void } {
  const root = join(locateUserState(env), 'deliveries')
  const today = join(root, nameDay(now))
  const names = marks.map(mark => createHash('sha256').update(mark).digest('hex'))
  const earlier = Array.from({ length: REMEMBERED_DAYS }, (_, ago) => join(root, nameDay(now - (ago + 1) * DAY_MS)))
  if (names.some(name => earlier.some(day => existsSync(join(day, name))))) throw makeReplay()
  const made: string[] = []
  const forget = () => {
    for (const path of made) rmSync(path, { force: true })
  }
  try {
    if (makeFolders(today, { mode: 0o700 }) !== undefined) removeOldDays(root, earlier.at(-1)!)
    for (const name of names) {
      closeSync(openSync(join(today, name), 'wx', 0o600))
      made.push(join(today, name))
    }
  } catch (error) {
    forget()
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw makeReplay()
    throw writeFault(error, root, today)
  }
  return { forget }
}

function makeReplay(): EngineError {
  return new EngineError('CONFLICT', 'This delivery was received before.', {
    hint: 'Nothing is to be done: its scans were queued then. `svc fleet submit` queues one again.',
  })
}

function removeOldDays(root: string, oldest: string): void {
  for (const name of readdirSync(root))
    if (/^\d{4}-\d{2}-\d{2}$/.test(name) && join(root, name) < oldest)
      rmSync(join(root, name), { recursive: true, force: true })
}

function nameDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
