import { existsSync, lstatSync } from 'node:fs'
import type { Listing } from '../../base/records/source-file.ts'
import { toSystemPath } from '../../base/text/path-name.ts'
import { listAsking, listAskingOfIndex, readMarks } from './attributes.ts'
import type { Change } from './changes.ts'
import type { Excludes } from './exclude.ts'
import { classify, Gathering } from './gather.ts'

/**
 * The files of a change as discovery would list them: excluded ones set aside, content from the
 * object where the change names one, else from the disk. `commonFolder` is the repository's own folder (its info/attributes
 * count); for what is staged, `index` gives the attributes. Nothing is asked of git where no attributes file above the files names an attribute that matters.
 */
export async function listChange(
  root: string,
  change: Change,
  excluded: Excludes,
  options: {
    signal?: AbortSignal
    commonFolder: string
    /** Attributes files of the index, and the index file, '' for the repository's own. */
    index?: { attributes: readonly { path: string; oid: string }[]; file: string }
  },
): Promise<Listing> {
  const into = new Gathering(root, excluded, options.signal)
  const { signal, index } = options
  const asking = listAsking(root, index ? [] : attributesAbove(root, change), `${options.commonFolder}/info`)
  if (index) asking.marked.push(...listAskingOfIndex(root, index.attributes.filter(isAboveAny(change))).marked)
  const marks =
    asking.marked.length > 0 ? await readMarks(root, change.files, asking, { signal, index: index?.file }) : new Map()
  for (const { blob, before: _, ...name } of change.files) {
    const mark = marks.get(name.path)
    if (blob === undefined) into.addFromDisk(name, mark)
    // No encoding: git keeps text with a declared working-tree encoding as UTF-8.
    else if (!into.leavesOut(name.path)) into.add(name, sizeOnDisk(root, name), { blob, ...classify(mark) })
  }
  if (change.others.length > 0) {
    const { skipOthers } = await import('./change-others.ts')
    await skipOthers(into, change)
  }
  for (const path of change.unmerged) into.skip(path, 'unreadable', 'it has a conflict that is not resolved')
  const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1)
  return { root, kind: 'git', files: into.files.sort(byPath), skipped: into.skipped.sort(byPath) }
}

/** Only for planning: the object itself may have another size. */
function sizeOnDisk(root: string, name: { path: string; raw?: Uint8Array }): number {
  return lstatSync(toSystemPath(root, name), { throwIfNoEntry: false })?.size ?? 0
}

/** Whether an attributes file stands at the root or in a folder above a file of the change. */
function isAboveAny(change: Change): (file: { path: string }) => boolean {
  const folders = foldersOf(change)
  return ({ path }) => folders.has(path.slice(0, path.lastIndexOf('/') + 1))
}

function foldersOf({ files }: Change): Set<string> {
  const folders = new Set([''])
  for (const { path } of files)
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
      folders.add(path.slice(0, end + 1))
  return folders
}

function attributesAbove(root: string, change: Change): { path: string }[] {
  return [...foldersOf(change)]
    .map(folder => ({ path: `${folder}.gitattributes` }))
    .filter(({ path }) => existsSync(`${root}/${path}`))
}
