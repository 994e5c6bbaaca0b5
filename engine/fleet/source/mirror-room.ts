import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { runInFreeTurn } from '../../base/disk/turn.ts'

/** Begins the name of a work directory: by it the workers of a machine see whose mirror is in use. */
export function nameUse(mirror: string): string {
  return basename(mirror).slice(0, 8)
}

/** The file that whoever changes a mirror has meanwhile. */
export function turnOf(mirror: string): string {
  return `${mirror}${TURN}`
}

const TURN = '.turn'
/** Behind the name of a mirror that is being removed. */
const GOING = '.old'

/** Removes the mirrors that were used the longest ago, until the rest has at most so many bytes. None goes that somebody works with, whose directories are below the `works`. */
export async function makeRoom(mirrors: string, most: number, works: () => readonly string[]): Promise<void> {
  const found: { path: string; bytes: number; used: number }[] = []
  for (const name of await readdir(mirrors)) {
    if (name.endsWith(TURN)) continue
    const path = join(mirrors, name)
    let bytes = 0
    for (const pack of await readdir(join(path, 'objects/pack')).catch(() => []))
      bytes += statSync(join(path, 'objects/pack', pack), { throwIfNoEntry: false })?.size ?? 0
    found.push({ path, bytes, used: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 })
  }
  let sum = found.reduce((total, { bytes }) => total + bytes, 0)
  for (const { path, bytes } of found.sort((a, b) => a.used - b.used)) {
    if (sum <= most) return
    if (await removeUnused(path, works)) sum -= bytes
  }
}

/** Whoever is about to work with it has made a directory first, and waits for the turn then. */
async function removeUnused(mirror: string, works: () => readonly string[]): Promise<boolean> {
  const going = `${mirror}-${randomBytes(6).toString('hex')}${GOING}`
  const isTakenAway = await runInFreeTurn(turnOf(mirror), async () => {
    for (const work of works())
      if ((await readdir(work).catch(() => [])).some(name => name.startsWith(`${nameUse(mirror)}-`))) return false
    return rename(mirror, going).then(
      () => true,
      () => false,
    )
  })
  if (isTakenAway) await rm(going, { recursive: true, force: true })
  return isTakenAway === true
}
