import type { Change, ChangedFile, ChangedOther, Edit } from './changes.ts'
import { type PathName, pathName } from './path-name.ts'

const NO_OBJECT = /^0+$/

/** `:<mode> <mode> <object> <object> <status>`, NUL, the path, NUL, and for a rename the new path, NUL. */
export function parseRaw(output: Buffer): Pick<Change, 'files' | 'edits' | 'unmerged' | 'others'> {
  const files: ChangedFile[] = []
  const edits: Edit[] = []
  const others: ChangedOther[] = []
  const unmerged = new Set<string>()
  const fields = split(output)
  for (let at = 0; at < fields.length; ) {
    const [, mode = '', old = '', blob = '', status = ''] = fields[at++]!.toString('latin1').split(' ')
    const first = pathName(fields[at++]!)
    const name = /^[RC]/.test(status) ? pathName(fields[at++]!) : first
    if (status.startsWith('U')) unmerged.add(name.path)
    const wasThere = !NO_OBJECT.test(old) && !status.startsWith('C')
    const isThere = mode !== '000000'
    if (isThere || wasThere) {
      if (status.startsWith('R')) edits.push({ path: first.path, before: old })
      edits.push({
        path: name.path,
        ...(wasThere && !status.startsWith('R') && { before: old }),
        ...(isThere && { after: { ...(!NO_OBJECT.test(blob) && { blob }), ...(mode === '120000' && { link: true }) } }),
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

/** Paths that end with a NUL each. */
export function names(output: Buffer): PathName[] {
  return split(output).map(pathName)
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
