import { EngineError } from '../../base/errors.ts'
import { openText } from '../../fixes/encoded-text.ts'
import { ProjectFile } from '../../fixes/project-file.ts'
import type { ManifestEdit } from './edit.ts'
import type { FixChange, PlannedFix } from './plan.ts'

/** Makes planned changes, file by file, each in one step. Where a file cannot be written the error says which; files before it are changed. */
export function applyFixes(root: string, fixes: readonly PlannedFix[]): (FixChange & { applied: boolean })[] {
  const files = new Map<string, PlannedFix[]>()
  for (const fix of fixes) files.set(fix.change.file, [...(files.get(fix.change.file) ?? []), fix])
  for (const [path, own] of files)
    writeEdits(
      root,
      path,
      own.map(({ edit }) => edit),
    )
  return fixes.map(({ change }) => ({ ...change, applied: true }))
}

/** Replaces spans of one file; its encoding and everything else stay. */
export function writeEdits(root: string, path: string, edits: readonly ManifestEdit[]): void {
  const file = new ProjectFile(root, path, { links: false })
  try {
    file.replace(editBytes(file.bytes, path, edits))
  } finally {
    file.close()
  }
}

/** The content of a file with spans of it replaced. INPUT_INVALID where its encoding cannot hold them. */
export function editBytes(bytes: Uint8Array, path: string, edits: readonly ManifestEdit[]): Uint8Array {
  const content = openText(bytes)
  const edited =
    content && edits.every(({ text }) => content.canHold(text)) ? content.splice(joinEdits(edits)) : undefined
  if (!edited) throw new EngineError('INPUT_INVALID', `${path} cannot be written in its encoding.`)
  return edited
}

/** In the order of the file; what is inserted at one place becomes one insertion. */
function joinEdits(edits: readonly ManifestEdit[]): { start: number; end: number; text: string }[] {
  const joined: { start: number; end: number; text: string }[] = []
  for (const { start, end, text } of [...edits].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last && last.start === start && last.end === end && start === end) last.text += text
    else joined.push({ start, end, text })
  }
  return joined
}
