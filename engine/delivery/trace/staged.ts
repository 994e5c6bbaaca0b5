import type { Context } from '../../base/context.ts'
import type { Listing } from '../../base/records/source-file.ts'
import { BlobReader } from '../../sources/repository/blobs.ts'
import { locateWorkTree, readChanges, readIndexEnvironment } from '../../sources/repository/changes.ts'

/** The files of a commit that is being prepared: the work tree with what is staged in place of what is on disk. */
export interface StagedFiles {
  listing: Listing
  /** The staged content of the changed files. */
  contents: ReadonlyMap<string, Uint8Array>
  /** Paths that the change adds, alters or deletes. */
  changed: ReadonlySet<string>
}

/** Reads what is staged. REPO_NOT_FOUND outside of a git work tree. */
export async function readStaged(
  listing: Listing,
  maxBytes: number,
  { env, signal }: Pick<Context, 'env' | 'signal'>,
): Promise<StagedFiles> {
  const root = locateWorkTree(listing.root)
  const { edits, files } = await readChanges(root, { staged: true }, { env, signal })
  const staged = files.filter(({ blob }) => blob !== undefined)
  const reader = new BlobReader(root, readIndexEnvironment(root, env))
  try {
    const read = await reader.read(
      staged.map(({ blob }) => blob!),
      maxBytes,
    )
    const contents = new Map(
      staged.flatMap(({ path }, index) => {
        const bytes = read[index]!
        return bytes instanceof Uint8Array ? [[path, bytes] as const] : []
      }),
    )
    const gone = new Set(edits.flatMap(({ path, after }) => (after ? [] : [path])))
    const kept = listing.files.filter(({ path }) => !gone.has(path))
    return { listing: { ...listing, files: kept }, contents, changed: new Set(edits.map(({ path }) => path)) }
  } finally {
    reader.close()
  }
}
