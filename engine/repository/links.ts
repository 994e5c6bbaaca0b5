import { realpathSync } from 'node:fs'
import { errorCode, type Gathering } from './gather.ts'
import { pathName, systemPath } from './path-name.ts'

/**
 * Judges the symbolic links of the working tree. Links are never followed. One that leads to something that is listed
 * (a file, or a folder with listed files) is covered by it and left off; every other link is listed with the reason.
 * `into.files` and `into.skipped` must be sorted.
 */
export function judgeLinks(into: Gathering): void {
  const found: [path: string, detail: string][] = []
  for (const link of into.links) {
    const detail = complaint(into, systemPath(into.root, link))
    if (detail !== undefined) found.push([link.path, detail])
  }
  for (const [path, detail] of found) into.skip(path, 'symlink', detail)
}

function complaint(into: Gathering, link: string | Buffer): string | undefined {
  let target: Buffer
  try {
    target = realpathSync.native(link, 'buffer')
  } catch (error) {
    const code = errorCode(error)
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'leads nowhere' : code === 'ELOOP' ? 'leads back to itself' : code
  }
  const root = Buffer.from(into.root)
  if (target.equals(root)) return undefined
  const inside = target.subarray(0, root.length).equals(root) && target[root.length] === 0x2f
  if (!inside) return 'leads outside the repository'
  const { path } = pathName(target.subarray(root.length + 1))
  const listed =
    [into.files, into.skipped].some(entries => holds(entries, path) || holds(entries, `${path}/`)) ||
    into.kept?.has(path) ||
    into.kept?.holdsBelow(`${path}/`)
  return listed ? undefined : 'leads to something that is not scanned'
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
