import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { readRegular } from '../../base/disk/read.ts'

/**
 * The folder that holds a work tree's repository: its `.git`, or where the file `.git` points to.
 * Undefined where neither stands there.
 */
export function readGitLink(folder: string): string | undefined {
  const place = `${folder}/.git`
  try {
    if (statSync(place).isDirectory()) return realpathSync(place)
    const content = readRegular(place, 65536)
    const target = content instanceof Uint8Array && /^gitdir: (.+)/.exec(Buffer.from(content).toString())?.[1]
    return target ? realpathSync(resolve(folder, target)) : undefined
  } catch {
    return undefined
  }
}
