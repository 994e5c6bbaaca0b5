import { EngineError } from '../base/errors.ts'
import { applyFixes } from '../fixes/apply.ts'
import { type Fixable, type Refusal, selectFixable } from '../fixes/plan.ts'
import { type Prepared, ProjectFile } from '../fixes/project-file.ts'
import { isProtected } from '../fixes/project-path.ts'
import { BlobReader } from '../sources/repository/blobs.ts'
import { type GitCall, type IndexEntry, readIndex, stage, storeBlob } from './index-file.ts'
import type { PreCommitRecord } from './record.ts'
import { carryOver } from './working-text.ts'

/** A larger content is not fixed. */
const MOST_BYTES = 64 << 20

export interface RefusedStaged {
  finding: Fixable
  reason: Refusal | 'not_staged' | 'conflict' | 'not_a_file' | 'protected'
  detail: string
}

/** What became of a staged file. */
export interface StagedFile {
  file: string
  applied: Fixable[]
  refused: RefusedStaged[]
  /** The working file got the same change, has none of its own to change, or was left byte for byte as it was. */
  working_file: 'updated' | 'absent' | 'untouched'
  /** Why the working file was left as it was. */
  detail?: string
  /** What changed in the index, as a unified diff. */
  diff: string
}

interface Planned extends StagedFile {
  entry: IndexEntry
  /** The staged content before and after; the same where nothing is applied. */
  before: Uint8Array
  after: Uint8Array
  open?: ProjectFile
  prepared?: Prepared
}

/**
 * Applies the fixes that the last pre-commit scan recorded to what is staged, and carries each over to the working file
 * where it merges cleanly with what is changed there and not staged. A file of which something else is staged now is left
 * alone. Everything is made ready first; then the index changes in one step, then the working files, each in one step:
 * where anything fails before, nothing has changed. With `write: false` nothing is changed at all.
 */
export async function fixStaged(
  root: string,
  record: PreCommitRecord,
  call: GitCall,
  { write }: { write: boolean },
): Promise<StagedFile[]> {
  const byFile = new Map<string, Fixable[]>()
  for (const finding of selectFixable(record.findings)) {
    if (finding.status === 'open') byFile.set(finding.file, [...(byFile.get(finding.file) ?? []), finding])
  }
  const index = await readIndex(root, new Set(byFile.keys()), call)
  const done: StagedFile[] = []
  const planned: Planned[] = []
  const reader = new BlobReader(root)
  try {
    for (const [file, fixes] of byFile) {
      const entry = judge(file, index.get(file) ?? [], record.blobs[file])
      if ('reason' in entry) done.push(refuse(file, fixes, entry))
      else planned.push(await plan(file, fixes, entry, reader))
    }
  } finally {
    reader.close()
  }
  const changed = planned.filter(({ applied }) => applied.length > 0)
  try {
    if (write && changed.length > 0) await carryOut(root, changed, call)
  } finally {
    for (const { open, prepared } of changed) {
      prepared?.discard()
      open?.close()
    }
  }
  return [...done, ...planned.map(reported)].sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** The entry to fix, or why there is none. */
function judge(
  file: string,
  entries: readonly IndexEntry[],
  scanned: string | undefined,
): IndexEntry | Pick<RefusedStaged, 'reason' | 'detail'> {
  const entry = entries[0]
  if (isProtected(file)) return { reason: 'protected', detail: 'No fix may change what git and svc rely on.' }
  if (!entry) return { reason: 'not_staged', detail: 'The file is not in the index any more.' }
  if (entry.stage !== 0) return { reason: 'conflict', detail: 'The file has a conflict that is not resolved.' }
  if (!entry.mode.startsWith('100')) return { reason: 'not_a_file', detail: 'What is staged is a link or a submodule.' }
  if (entry.blob !== scanned)
    return { reason: 'changed', detail: 'The staged content differs from the scanned content.' }
  if (entry.hidden) return { reason: 'not_staged', detail: 'git is configured to ignore changes of the working file.' }
  return entry
}

function refuse(file: string, fixes: readonly Fixable[], why: Pick<RefusedStaged, 'reason' | 'detail'>): StagedFile {
  const refused = fixes.map(finding => ({ finding, ...why }))
  return { file, applied: [], refused, working_file: 'untouched', diff: '' }
}

async function plan(file: string, fixes: readonly Fixable[], entry: IndexEntry, reader: BlobReader): Promise<Planned> {
  const [before] = await reader.read([entry.blob], MOST_BYTES)
  if (!(before instanceof Uint8Array)) {
    const detail = `The staged content cannot be read: ${before?.detail ?? before?.reason}.`
    const nothing = new Uint8Array()
    return { ...refuse(file, fixes, { reason: 'changed', detail }), entry, before: nothing, after: nothing }
  }
  const { bytes: after, applied, refused, diff } = applyFixes(before, fixes)
  return { file, applied, refused, working_file: 'untouched', diff, entry, before, after }
}

async function carryOut(root: string, files: readonly Planned[], call: GitCall): Promise<void> {
  const entries: IndexEntry[] = []
  for (const file of files) {
    entries.push({ ...file.entry, blob: await storeBlob(root, file.after, call) })
    await prepareWorkingFile(root, file, call.signal)
  }
  const paths = new Set(files.map(({ file }) => file))
  const now = await readIndex(root, paths, call)
  const moved = files.find(({ file, entry }) => now.get(file)?.length !== 1 || now.get(file)![0]!.blob !== entry.blob)
  if (moved)
    throw new EngineError('CONFLICT', `The staged content of ${moved.file} changed meanwhile; nothing was modified.`)
  call.signal?.throwIfAborted()
  await stage(root, entries, call)
  for (const file of files) {
    if (!file.prepared) continue
    try {
      file.prepared.commit()
      file.working_file = 'updated'
    } catch (error) {
      // What is staged is fixed and whole; the working file is merely as it was.
      file.detail = error instanceof EngineError ? error.message : 'It could not be written.'
    }
  }
}

/** Makes the new working file ready; where there is none to make, says why. DISK where it cannot be written. */
async function prepareWorkingFile(root: string, file: Planned, signal: AbortSignal | undefined): Promise<void> {
  try {
    file.open = new ProjectFile(root, file.file, { links: false })
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    if (error.code === 'NOT_FOUND') file.working_file = 'absent'
    else file.detail = error.message
    return
  }
  const merged = await carryOver(file.open.bytes, file.before, file.after, signal)
  if (merged) file.prepared = file.open.prepare(merged)
  else file.detail = 'What is changed there and not staged touches the same lines.'
}

function reported({ file, applied, refused, working_file, detail, diff }: Planned): StagedFile {
  return { file, applied, refused, working_file, diff, ...(detail !== undefined && { detail }) }
}
