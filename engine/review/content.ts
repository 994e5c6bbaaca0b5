import { readSource } from '../base/disk/read.ts'
import { isTestPath } from '../base/languages/languages.ts'
import type { SourceFile } from '../base/records/source-file.ts'
import { decode } from '../base/text/decode.ts'
import { BlobReader } from '../sources/repository/blobs.ts'
import { type ChangeRequest, readChanges } from '../sources/repository/changes.ts'
import { compileExcludes } from '../sources/repository/exclude.ts'
import { MOST_BYTES } from './code/code-file.ts'

/** A file on both sides of a change. */
export interface Sides {
  path: string
  in_test: boolean
  /** Absent for an added file. */
  before?: string
  /** Absent for a deleted file. */
  after?: string
}

/** A file that a review should have read and could not. */
export interface Unread {
  path: string
  reason: string
}

export interface ReviewedChange {
  /** In words. */
  scope: string
  files: Sides[]
  unread: Unread[]
}

/** Both sides of the files of a change; excluded ones and what svc writes itself are left out. NOT_FOUND for an unknown revision. */
export async function readChangedFiles(
  root: string,
  request: ChangeRequest,
  {
    exclude,
    env,
    signal,
  }: { exclude: readonly string[]; env?: Readonly<Record<string, string | undefined>>; signal?: AbortSignal },
): Promise<ReviewedChange> {
  const { scope, edits, unmerged } = await readChanges(root, request, { env, signal })
  const excluded = compileExcludes(exclude)
  const files: Sides[] = []
  const unread: Unread[] = unmerged.map(path => ({ path, reason: 'it has a conflict that is not resolved' }))
  const blobs = new BlobReader(root)
  try {
    for (const { path, before, was, after } of edits) {
      signal?.throwIfAborted()
      if (excluded(path) || OWN.test(path) || unmerged.includes(path)) continue
      const sides: Sides = { path, in_test: isTestPath(path) }
      if (before !== undefined && was === undefined) {
        const text = await readBlob(blobs, before)
        if (typeof text === 'string') sides.before = text
        // What was binary or too large has no constructs to compare with: everything after it counts as added.
      }
      if (after && after.kind === undefined) {
        const text = after.blob === undefined ? readText(root, path) : await readBlob(blobs, after.blob)
        if (typeof text === 'string') sides.after = text
        else unread.push({ path, ...text })
      }
      files.push(sides)
    }
  } finally {
    blobs.close()
  }
  return { scope, files, unread }
}

const OWN = /^(?:\.svc|\.git)\//

/** A file of the working tree as text; the reason where it has none. Links are not followed. */
export function readText(root: string, path: string, file?: SourceFile): string | { reason: string } {
  const content = readSource(root, file ?? { path, size: 0, language: null, in_test: false }, MOST_BYTES)
  return toText(content)
}

async function readBlob(blobs: BlobReader, blob: string): Promise<string | { reason: string }> {
  return toText((await blobs.read([blob], MOST_BYTES))[0]!)
}

function toText(content: Uint8Array | { reason: string; detail?: string }): string | { reason: string } {
  if (!(content instanceof Uint8Array)) return { reason: content.detail ?? content.reason }
  if (content.subarray(0, 8000).includes(0)) return { reason: 'it is no text' }
  const decoded = decode(content)
  return 'text' in decoded ? decoded.text : { reason: 'it is no text' }
}
