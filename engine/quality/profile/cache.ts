import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readLinked, writeTemporary } from '../../base/disk/own-folder.ts'
import { EngineError } from '../../base/errors.ts'
import type { Listing } from '../../base/records/source-file.ts'
import { makeOut } from '../../sources/store/layout.ts'
import { digestListing, makeProfile, type ProjectProfile } from './profile.ts'

/** The file of the profile, in the output directory. */
export const PROFILE_FILE = 'project-profile.json'

/** The profile of the listing: the stored one where no file has changed since, else a new one. Nothing is written. */
export function loadProfile(
  out: string,
  listing: Pick<Listing, 'root' | 'files'>,
  signal?: AbortSignal,
): { profile: ProjectProfile; cached: boolean } {
  const digest = digestListing(listing)
  const stored = readStored(out)
  if (stored?.digest === digest) return { profile: stored, cached: true }
  return { profile: makeProfile(listing, digest, signal), cached: false }
}

/** Stores a profile in one step. DISK where the directory cannot be written. */
export function storeProfile(out: string, profile: ProjectProfile): void {
  makeOut(out)
  const temporary = join(out, `.${PROFILE_FILE}.${process.pid}.tmp`)
  try {
    writeTemporary(temporary, `${JSON.stringify(profile, null, 1)}\n`)
    renameSync(temporary, join(out, PROFILE_FILE))
  } catch (error) {
    rmSync(temporary, { force: true })
    const code = (error as NodeJS.ErrnoException).code
    throw new EngineError('DISK', `${PROFILE_FILE} cannot be written: ${code}.`, { cause: error })
  }
}

/** A profile that cannot be read is made again. */
function readStored(out: string): ProjectProfile | undefined {
  try {
    const value = JSON.parse(String(readLinked(join(out, PROFILE_FILE)))) as ProjectProfile | null
    return typeof value?.digest === 'string' && Array.isArray(value.modules) ? value : undefined
  } catch {
    return undefined
  }
}
