import { statSync } from 'node:fs'
import { devNull } from 'node:os'
import { join, posix } from 'node:path'
import { closeStored } from '../base/disk/read.ts'
import { makeTemporaryFolder, registerTemporary, removeTemporary } from '../base/disk/temporary.ts'
import type { Listing, SourceFile } from '../base/records/source-file.ts'
import { parsePathName } from '../base/text/path-name.ts'
import type { Contributor } from '../findings/contribution.ts'
import type { Config } from '../sources/config/load.ts'
import { BlobReader } from '../sources/repository/blobs.ts'
import type { AbsentLink } from '../sources/repository/gather.ts'
import { runGit } from '../sources/repository/git.ts'
import { writeContents } from '../sources/repository/object-contents.ts'

/** Bytes of a link's target that are read: no system has a longer path. */
const LONGEST_TARGET = 4096

/** A listing of a sparse checkout, whose other files are git's objects. */
export interface AbsentFiles {
  config: Config
  request: { listing: Listing }
  absentLinks?: readonly AbsentLink[]
}

/**
 * Whether the files are to be on disk: somebody who contributes looks at the checkout itself, or a link does not plainly lead to a listed file, so that
 * the system has to say where.
 */
export async function needsCheckout(
  { config, request: { listing }, absentLinks = [] }: AbsentFiles,
  contributors: readonly Contributor[],
): Promise<boolean> {
  const selectFiles = (wants: (path: string) => boolean) => listing.files.filter(({ path }) => wants(path))
  for (const contributor of contributors) if (await contributor.needsCheckout({ config, selectFiles })) return true
  return absentLinks.length > 0 && !(await areAllPlain(listing, absentLinks))
}

/** Writes the files that the sparse checkout leaves out to disk, as git has them. */
export async function checkOutAll(root: string, signal: AbortSignal): Promise<void> {
  const options = { env: { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull }, signal }
  // The index says of each file that it is to be left out.
  await runGit(root, ['read-tree', '--empty'], options)
  await runGit(root, ['-c', 'core.sparseCheckout=false', 'read-tree', '--reset', '-u', 'HEAD'], options)
}

/**
 * Gives the listed files that are git's objects their sizes and a place to read them from, without a checkout: one file has all contents. Answers what
 * removes it. REPO_UNREADABLE where an object is not there.
 */
export async function bringContents(listing: Listing, signal: AbortSignal): Promise<() => void> {
  const oids = new Set(listing.files.flatMap(({ blob }) => blob ?? []))
  if (oids.size === 0) return () => {}
  const { folder, remove } = makePlace(listing.root)
  try {
    const file = join(folder, `svc-contents-${process.pid}`)
    registerTemporary(file)
    const places = await writeContents(listing.root, oids, file, signal)
    listing.files = listing.files.map(({ blob, ...own }): SourceFile => {
      if (blob === undefined) return own
      const { offset, size } = places.get(blob)!
      return { ...own, size, stored: { file, offset } }
    })
    return () => {
      closeStored()
      removeTemporary(file)
      remove()
    }
  } catch (error) {
    removeTemporary(join(folder, `svc-contents-${process.pid}`))
    remove()
    throw error
  }
}

/** The repository's own folder, which is on the disk that a checkout would be on and is no part of what is scanned. */
function makePlace(root: string): { folder: string; remove: () => void } {
  const own = join(root, '.git')
  if (statSync(own, { throwIfNoEntry: false })?.isDirectory()) return { folder: own, remove: () => {} }
  const folder = makeTemporaryFolder('svc-contents-')
  return { folder, remove: () => removeTemporary(folder) }
}

/** Whether each link leads to a listed file, or a directory with some, and no link is on the way: such links are covered by what they lead to. */
async function areAllPlain({ root, files }: Listing, links: readonly AbsentLink[]): Promise<boolean> {
  const reader = new BlobReader(root)
  try {
    const targets = await reader.read(
      links.map(({ oid }) => oid),
      LONGEST_TARGET,
    )
    const places = listPlaces(files)
    return links.every(({ path, raw }, at) => {
      const target = targets[at]
      if (raw !== undefined || !(target instanceof Uint8Array)) return false
      const place = resolvePlainly(path, parsePathName(target).path)
      return place !== undefined && places.has(place)
    })
  } finally {
    reader.close()
  }
}

/** The files and all directories above them. Git has no file below a link, so none of these is behind one. */
function listPlaces(files: readonly SourceFile[]): Set<string> {
  const places = new Set<string>()
  for (const { path } of files)
    for (let end = path.length; end > 0 && !places.has(path.slice(0, end)); end = path.lastIndexOf('/', end - 1))
      places.add(path.slice(0, end))
  return places
}

/** Where a link leads whose target goes up first and down then; undefined for any other, and for one that leads out. */
function resolvePlainly(path: string, target: string): string | undefined {
  if (!/^(?:\.\/)?(?:\.\.\/)*(?!\.\.?(?:\/|$))[^/]+(?:\/(?!\.\.?(?:\/|$))[^/]+)*$/.test(target)) return undefined
  const place = posix.join(posix.dirname(path), target)
  return place.startsWith('../') ? undefined : place
}
