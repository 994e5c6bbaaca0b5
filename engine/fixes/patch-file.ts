import { EngineError } from '../base/errors.ts'
import { applyFixes } from './apply.ts'
import type { Fixable, Refusal } from './plan.ts'
import { ProjectFile } from './project-file.ts'

/** A fix that was not applied, and why. */
export interface RefusedPatch {
  finding: Fixable
  reason: Refusal | 'unreadable' | 'unwritable'
  detail: string
}

/** What patching one file came to. */
export interface FilePatch {
  file: string
  applied: Fixable[]
  refused: RefusedPatch[]
  /** The change as a unified diff; empty where nothing changes. */
  diff: string
}

/**
 * Applies the fixes of a scan to one file of the working tree in one step, or with `write: false` only tells what would
 * change. A file that is not as it was scanned is left alone as a whole: its size differs, or the code at any of the places.
 * `size` is that of the scan, in bytes.
 */
export function patchFile(
  root: string,
  file: string,
  fixes: readonly Fixable[],
  size: number | undefined,
  { write }: { write: boolean },
): FilePatch {
  const all = (reason: RefusedPatch['reason'], detail: string): FilePatch => ({
    file,
    applied: [],
    refused: fixes.map(finding => ({ finding, reason, detail })),
    diff: '',
  })
  let open: ProjectFile | undefined
  try {
    open = new ProjectFile(root, file, { links: false })
    const { bytes, applied, refused, diff } = applyFixes(open.bytes, fixes)
    const changed = size !== undefined && open.bytes.length !== size
    if (changed || refused.some(({ reason }) => reason === 'changed'))
      return all('changed', 'The file has changed since it was scanned.')
    if (write && applied.length > 0) open.replace(bytes)
    return { file, applied, refused, diff }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return all(error.code === 'DISK' ? 'unwritable' : 'unreadable', error.message)
  } finally {
    open?.close()
  }
}
