import { join } from 'node:path'
import type { Context } from '../base/context.ts'
import { writeFault } from '../base/disk/disk.ts'
import { writeOutput } from '../base/disk/output-file.ts'
import { readLinked } from '../base/disk/own-folder.ts'
import { EngineError } from '../base/errors.ts'
import { isObject } from '../base/text/json-object.ts'
import { makeOut } from '../sources/store/layout.ts'

/** Larger files of reviews are no such files. */
const MOST_BYTES = 64 << 20

/**
 * A document of reviews in the output directory; undefined where there is none. INPUT_INVALID where it is damaged, or an entry of its
 * list is without one of the `texts`: what was acknowledged in it must not be lost without a word.
 */
export function readDocument<T>(out: string, name: string, list: string, texts: readonly string[]): T | undefined {
  const bytes = readLinked(join(out, name), MOST_BYTES)
  if (bytes === undefined) return undefined
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw damaged(name, cause)
  }
  if (!isObject(value) || value.version !== 1 || typeof value.generated_at !== 'string' || !Array.isArray(value[list]))
    throw damaged(name)
  const isEntry = (entry: unknown) => isObject(entry) && texts.every(field => typeof entry[field] === 'string')
  if (!value[list].every(isEntry)) throw damaged(name)
  return value as T
}

/** Writes a document in one step. DISK where it cannot be written. */
export function writeDocument(root: string, out: string, name: string, document: unknown): void {
  try {
    makeOut(out)
    writeOutput(join(out, name), `${JSON.stringify(document, null, 1)}\n`)
  } catch (error) {
    throw writeFault(error, root, join(out, name))
  }
}

/** Now as ISO 8601 to the second; SOURCE_DATE_EPOCH where it is set. */
export function formatNow(env: Context['env']): string {
  const fixed = /^\d{1,12}$/.exec(env.SOURCE_DATE_EPOCH ?? '')?.[0]
  return `${new Date(fixed === undefined ? Date.now() : Number(fixed) * 1000).toISOString().slice(0, 19)}Z`
}

function damaged(name: string, cause?: unknown): EngineError {
  return new EngineError('INPUT_INVALID', `${name} in the output directory is not a document that svc wrote.`, {
    hint: 'Restore it, or delete it: then every decision and threat is pending again.',
    cause,
  })
}
