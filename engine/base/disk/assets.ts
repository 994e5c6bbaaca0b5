import { readFileSync } from 'node:fs'
import { VERSION } from '../version.ts'

/** The folder of the built program (dist/), whether this runs from it or from the sources in a test. */
export const DIST = import.meta.url.endsWith('.ts')
  ? new URL('../../../dist/', import.meta.url)
  : new URL('./', import.meta.url)

let digest: string | undefined

/** Digest of the built program, which `npm run build` writes; the version where there is no build. */
export function getEngineDigest(): string {
  try {
    digest ??= readFileSync(new URL('engine.digest', DIST), 'utf8').trim()
  } catch {
    digest = VERSION
  }
  return digest
}

/** A file of the built program. */
export function readAsset(name: string): Buffer {
  return readFileSync(new URL(name, DIST))
}
