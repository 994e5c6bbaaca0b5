import { join, posix } from 'node:path'
import type { NotRead } from '../../base/disk/read.ts'
import { makeTemporaryFolder, removeTemporary } from '../../base/disk/temporary.ts'
import { encodePath, type PathName, parsePathName } from '../../base/text/path-name.ts'
import { isAttributesFile, type Marks, namesMarks, readMarks } from './attributes.ts'
import { BlobReader } from './blobs.ts'
import { classify, type Gathering } from './gather.ts'
import { runGit } from './git.ts'

/** Attributes files and link targets above this are not read. */
const LONGEST = 1024 * 1024

interface TreeEntry extends PathName {
  kind: 'file' | 'link' | 'submodule'
  blob: string
  size: number
}

/** Gathers the files of HEAD's tree, for a repository without a work tree; their content is named by its blob. */
export async function gatherTree(into: Gathering): Promise<void> {
  const entries = parseTree(
    await runGit(into.root, ['ls-tree', '-r', '-z', '-l', '--full-tree', 'HEAD'], { signal: into.signal }),
  )
  const blobs = new BlobReader(into.root)
  try {
    const marks = await marksOfTree(into, blobs, entries)
    const links: TreeEntry[] = []
    for (const entry of entries) {
      const pause = into.turn()
      if (pause) await pause
      if (entry.kind === 'submodule') {
        if (into.excluded(`${entry.path}/`)) into.skip(`${entry.path}/`, 'excluded')
        else into.skip(`${entry.path}/`, 'submodule_absent', 'a bare repository has no submodules checked out')
      } else if (!into.leavesOut(entry.path)) {
        if (entry.kind === 'link') links.push(entry)
        // No encoding: git keeps text with a declared working-tree encoding as UTF-8.
        else
          into.add(entry.raw === undefined ? { path: entry.path } : { path: entry.path, raw: entry.raw }, entry.size, {
            blob: entry.blob,
            oid: entry.blob,
            ...classify(marks.get(entry.path)),
          })
      }
    }
    await judgeLinks(into, blobs, links, entries)
  } finally {
    blobs.close()
  }
}

/** `<mode> <type> <object> <padded size>`, a tab, the path, a NUL: `git ls-tree -l -z`. */
function parseTree(output: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = []
  for (let at = 0; at < output.length; ) {
    const tab = output.indexOf(0x09, at)
    const end = output.indexOf(0, tab)
    const [mode = '', , blob = '', size = ''] = output.toString('latin1', at, tab).split(/ +/)
    const kind = mode === '160000' ? 'submodule' : mode === '120000' ? 'link' : 'file'
    entries.push({
      ...parsePathName(output.subarray(tab + 1, end)),
      kind,
      blob,
      size: kind === 'submodule' ? 0 : Number(size),
    })
    at = end + 1
  }
  return entries
}

/** The marks by path. git takes attributes from an index only, so one is made for the while it takes to ask. */
async function marksOfTree(
  into: Gathering,
  blobs: BlobReader,
  entries: readonly TreeEntry[],
): Promise<Map<string, Marks>> {
  const attributes = entries.filter(entry => entry.kind === 'file' && isAttributesFile(entry.path))
  const texts = await blobs.read(
    attributes.map(entry => entry.blob),
    LONGEST,
  )
  const marked = texts.some(
    text => text instanceof Uint8Array && namesMarks(Buffer.from(text.buffer).toString('latin1')),
  )
  if (!marked) return new Map()
  const folder = makeTemporaryFolder('svc-index-')
  try {
    const index = join(folder, 'index')
    await runGit(into.root, ['read-tree', 'HEAD'], { env: { GIT_INDEX_FILE: index }, signal: into.signal })
    return await readMarks(
      into.root,
      entries.filter(entry => entry.kind !== 'submodule'),
      { marked: [''], blocked: [] },
      { index, signal: into.signal },
    )
  } finally {
    removeTemporary(folder)
  }
}

/** Lists the links that do not lead to an entry of the tree. */
async function judgeLinks(
  into: Gathering,
  blobs: BlobReader,
  links: readonly TreeEntry[],
  entries: readonly TreeEntry[],
): Promise<void> {
  const places = new Set<string>()
  for (const { path } of links.length === 0 ? [] : entries) {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) places.add(path.slice(0, end))
  }
  const targets = await blobs.read(
    links.map(link => link.blob),
    LONGEST,
  )
  for (const [at, link] of links.entries()) {
    const complaint = complaintOf(link, targets[at], places)
    if (complaint !== undefined) into.skip(link.path, 'symlink', complaint)
  }
}

function complaintOf(
  link: TreeEntry,
  target: Uint8Array | NotRead | undefined,
  places: Set<string>,
): string | undefined {
  if (!(target instanceof Uint8Array)) return 'its target cannot be read'
  const bytes = link.raw === undefined ? encodePath(link.path) : Buffer.from(link.raw)
  // Latin-1 carries every byte through the arithmetic on paths.
  const place = posix.join(posix.dirname(bytes.toString('latin1')), Buffer.from(target).toString('latin1'))
  const { path } = parsePathName(Buffer.from(place.replace(/\/$/, ''), 'latin1'))
  if (target[0] === 0x2f || path === '..' || path.startsWith('../')) return 'points outside the repository'
  return path === '.' || places.has(path) ? undefined : 'is broken'
}
