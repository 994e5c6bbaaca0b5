import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { ignoreUnreadable, isLinked, readOwn } from '../base/disk/own-folder.ts'
import type { Seal } from '../sources/state/cache-seal.ts'
import { writeBeside } from './cache-file.ts'
import { CACHE_FOLDER, makeCacheFolder } from './cache-folder.ts'

const MOST_BYTES = 64 << 20

/** A file of the cache that is written and read whole, sealed for a purpose. */
export interface SealedStore {
  root: string
  file: string
  purpose: string
}

/** What is kept under a basis, or under any where none is given; undefined where it is of another one, or was not sealed with this key. */
export function readSealed({ root, file, purpose }: SealedStore, basis: string | undefined, seal: Seal): unknown {
  if (isLinked(root, CACHE_FOLDER)) return undefined
  const text = ignoreUnreadable(() => readOwn(join(root, CACHE_FOLDER, file), MOST_BYTES))?.toString('utf8')
  const end = text?.indexOf('\n') ?? -1
  if (text === undefined || end === -1) return undefined
  const [known = '', signature = ''] = text.slice(0, end).split(' ')
  const body = text.slice(end + 1)
  if (basis !== undefined && known !== basis) return undefined
  if (!seal.verify(purpose, digestOf(known, body), signature)) return undefined
  return JSON.parse(body)
}

/** Keeps a value as JSON. The next scan does without where it cannot be written, or is too large. */
export function writeSealed({ root, file, purpose }: SealedStore, basis: string, seal: Seal, value: unknown): void {
  const body = JSON.stringify(value)
  if (body.length > MOST_BYTES) return
  const head = `${basis} ${seal.sign(purpose, digestOf(basis, body))}\n`
  try {
    writeBeside(join(makeCacheFolder(root), file), head + body)
  } catch {
    // The scan's own cache says why nothing is kept.
  }
}

function digestOf(basis: string, body: string): string {
  return createHash('sha256').update(basis).update(body).digest('hex')
}
