import { isAbsolute, join, posix, relative, resolve, sep } from 'node:path'
import type { Document, Scalar, YAMLSeq } from 'yaml'
import { isInside } from '../../base/disk/project-write.ts'
import { EngineError } from '../../base/errors.ts'

/**
 * A path or glob as typed in `cwd`, as an entry of the root's scan_exclude: relative to the root, forward slashes, no
 * slash at the end. PATH_ESCAPES where it leads outside, INPUT_INVALID where it is the root itself.
 */
export function toEntry(root: string, cwd: string, typed: string): string {
  const from = isAbsolute(typed) ? relative(root, typed) : join(relative(root, resolve(cwd)), typed)
  const entry = posix.normalize(from.split(sep).join('/')).replace(/\/+$/, '')
  if (!isInside(root, join(root, entry))) throw new EngineError('PATH_ESCAPES', `${typed} is outside the repository.`)
  if (entry === '.' || entry === '')
    throw new EngineError('INPUT_INVALID', `${typed} is the whole repository: no file would remain to scan.`)
  return entry
}

/** Appends what is missing to scan_exclude; returns what was. */
export function addEntries(document: Document, entries: readonly string[]): string[] {
  const known = new Set(listed(document))
  const added = [...new Set(entries)].filter(entry => !known.has(entry))
  const list = sequence(document)
  if (list) for (const entry of added) list.add(document.createNode(entry))
  else if (added.length > 0) document.setIn(['scan_exclude'], document.createNode(added))
  // A list in brackets is for short lists; a first entry in an empty pair of brackets opens them to lines.
  if (list && known.size === 0) list.flow = false
  return added
}

/** Takes entries out of scan_exclude, the comments of the others stay. A slash at an entry's end makes no difference. */
export function removeEntries(
  document: Document,
  entries: readonly string[],
): { gone: string[]; missing: string[]; left: string[] } {
  const list = sequence(document)
  const gone: string[] = []
  for (const entry of entries) {
    const index =
      (list?.items as Scalar[] | undefined)?.findIndex(item => plain(String(item.value)) === plain(entry)) ?? -1
    if (index < 0) continue
    list!.delete(index)
    gone.push(entry)
  }
  return { gone, missing: entries.filter(entry => !gone.includes(entry)), left: listed(document) }
}

function sequence(document: Document): YAMLSeq | undefined {
  const node = document.getIn(['scan_exclude'], true) as YAMLSeq | undefined
  return node && 'items' in node ? node : undefined
}

function listed(document: Document): string[] {
  return (sequence(document)?.items ?? []).map(item => String((item as Scalar).value))
}

function plain(entry: string): string {
  return entry.replace(/^(\.?\/)+/, '').replace(/\/+$/, '')
}
