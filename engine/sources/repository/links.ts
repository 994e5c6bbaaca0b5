import { realpathSync } from 'node:fs'
import { type PathName, parsePathName, toSystemPath } from '../../base/text/path-name.ts'
import { type Gathering, getErrorCode } from './gather.ts'

/**
 * Judges the symbolic links of the working tree. Links are never followed. One that leads to something that is listed
 * (a file, or a folder with listed files) is covered by it and left off; every other link is listed with the reason.
 * `into.files` and `into.skipped` must be sorted.
 */
export function judgeLinks(into: Gathering): void {
  const found: [path: string, detail: string][] = []
  for (const link of into.links) {
    const detail = complaint(into, toSystemPath(into.root, link))
    if (detail !== undefined) found.push([link.path, detail])
  }
  for (const [path, detail] of found) into.skip(path, 'symlink', detail)
}

/** Why a link of a change, which lists no other files, leads to nothing of the repository; undefined where it does. */
export function findLinkFault(into: Gathering, link: PathName): string | undefined {
  const place = targetOf(into, toSystemPath(into.root, link))
  return 'fault' in place ? place.fault : undefined
}

/** The path in the repository that a link leads to, '' for its root; or why it leads to none. */
function targetOf(into: Gathering, link: string | Buffer): { path: string } | { fault: string } {
  let target: Buffer
  try {
    target = realpathSync.native(link, 'buffer')
  } catch (error) {
    const code = getErrorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return { fault: 'is broken' }
    return { fault: code === 'ELOOP' ? 'points to itself' : code }
  }
  const root = Buffer.from(into.root)
  if (target.equals(root)) return { path: '' }
  const inside = target.subarray(0, root.length).equals(root) && target[root.length] === 0x2f
  return inside
    ? { path: parsePathName(target.subarray(root.length + 1)).path }
    : { fault: 'points outside the repository' }
}

function complaint(into: Gathering, link: string | Buffer): string | undefined {
  const place = targetOf(into, link)
  if ('fault' in place) return place.fault
  const { path } = place
  if (path === '') return undefined
  const listed =
    [into.files, into.skipped].some(entries => holds(entries, path) || holds(entries, `${path}/`)) ||
    into.kept?.has(path) ||
    into.kept?.holdsBelow(`${path}/`)
  return listed ? undefined : 'points to something that is not scanned'
}

/** Whether sorted entries have the path, or for one with a slash at its end, anything that begins with it. */
function holds(entries: readonly { path: string }[], path: string): boolean {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]!.path < path) low = middle + 1
    else high = middle
  }
  const found = entries[low]?.path
  return found !== undefined && (path.endsWith('/') ? found.startsWith(path) : found === path)
}
