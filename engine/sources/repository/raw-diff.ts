import { type PathName, parsePathName } from '../../base/text/path-name.ts'
import type { Change, ChangedFile, ChangedOther, Edit, EntryKind } from './changes.ts'

const NO_OBJECT = /^0+$/

/** `:<mode> <mode> <object> <object> <status>`, NUL, the path, NUL, and for a rename the new path, NUL. */
export function parseRaw(output: Buffer): Pick<Change, 'files' | 'edits' | 'unmerged' | 'others'> {
  const files: ChangedFile[] = []
  const edits: Edit[] = []
  const others: ChangedOther[] = []
  const unmerged = new Set<string>()
  const fields = split(output)
  for (let at = 0; at < fields.length; ) {
    const [from = '', mode = '', old = '', blob = '', status = ''] = fields[at++]!.toString('latin1').split(' ')
    const first = parsePathName(fields[at++]!)
    const name = /^[RC]/.test(status) ? parsePathName(fields[at++]!) : first
    if (status.startsWith('U')) unmerged.add(name.path)
    const wasThere = !NO_OBJECT.test(old) && !status.startsWith('C')
    const isThere = mode !== '000000'
    if (isThere || wasThere) {
      const [was, kind] = [readEntryKind(from.slice(1)), readEntryKind(mode)]
      const before = { before: old, ...(was && { was }) }
      if (status.startsWith('R')) edits.push({ path: first.path, ...before })
      edits.push({
        path: name.path,
        ...(wasThere && !status.startsWith('R') && before),
        ...(isThere && { after: { ...(!NO_OBJECT.test(blob) && { blob }), ...(kind && { kind }) } }),
      })
    }
    // Only regular files have lines to judge: no link, no submodule.
    if (!mode.startsWith('100')) {
      const other: ChangedOther = { ...name, kind: mode.startsWith('16') ? 'submodule' : 'link' }
      if (!NO_OBJECT.test(blob)) other.object = blob
      if (!NO_OBJECT.test(old)) other.before = old
      if (mode !== '000000') others.push(other)
      continue
    }
    const file: ChangedFile = { ...name }
    if (!NO_OBJECT.test(blob)) file.blob = blob
    if (!NO_OBJECT.test(old) && !status.startsWith('C')) file.before = { ...first, blob: old }
    files.push(file)
  }
  const isMerged = ({ path }: PathName) => !unmerged.has(path)
  return { files: files.filter(isMerged), edits, unmerged: [...unmerged], others: others.filter(isMerged) }
}

/** What a mode of git's stands for; undefined for a regular file. */
export function readEntryKind(mode: string): EntryKind | undefined {
  if (mode === '120000') return 'link'
  return mode === '160000' ? 'submodule' : undefined
}

/** Paths that end with a NUL each. */
export function splitNames(output: Buffer): PathName[] {
  return split(output).map(parsePathName)
}

function split(output: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at)
    parts.push(output.subarray(at, end))
    at = end + 1
  }
  return parts
}
