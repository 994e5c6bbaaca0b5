import { posix } from 'node:path'
import { encodePath, parsePathName } from '../../base/text/path-name.ts'
import { BlobReader } from './blobs.ts'
import type { Change, ChangedOther } from './changes.ts'
import type { Gathering } from './gather.ts'
import { findLinkFault } from './links.ts'

/** A link's target is a path: systems allow 4,096 bytes. */
const LONGEST = 1 << 16
/** Hex digits by which a commit is named for a person. */
const SHORT = 12

/**
 * Lists what a change has besides files as skipped, with the reason: every submodule and nested repository, whose content is not this
 * repository's, and each symbolic link that leads outside, nowhere or to something that is not scanned. No link is followed into content.
 */
export async function skipOthers(into: Gathering, { others }: Pick<Change, 'others'>): Promise<void> {
  for (const { path, kind, object, before } of others) {
    if (kind === 'link') continue
    if (into.leavesOut(kind === 'repository' ? path : `${path}/`)) continue
    if (kind === 'repository') into.skip(path, 'nested_repository', 'it is not registered as a submodule')
    else into.skip(`${path}/`, 'submodule_changed', submoduleDetail(object, before))
  }
  await skipLinks(
    into,
    others.filter(({ kind, path }) => kind === 'link' && !into.leavesOut(path)),
  )
}

function submoduleDetail(object: string | undefined, before: string | undefined): string {
  const now = object === undefined ? 'another commit' : `commit ${object.slice(0, SHORT)}`
  if (object !== undefined && object === before) return `moved, at commit ${object.slice(0, SHORT)}`
  return before === undefined ? `added at ${now}` : `now at ${now}, before at ${before.slice(0, SHORT)}`
}

async function skipLinks(into: Gathering, links: readonly ChangedOther[]): Promise<void> {
  const staged = links.filter(({ object }) => object !== undefined)
  const reader = new BlobReader(into.root)
  try {
    const targets = await reader.read(
      staged.map(({ object }) => object!),
      LONGEST,
    )
    staged.forEach((link, index) => {
      const target = targets[index]
      const leadsOut = target instanceof Uint8Array && isOutside(link, target)
      const detail = leadsOut ? 'points outside the repository' : findLinkFault(into, link)
      if (detail !== undefined) into.skip(link.path, 'symlink', detail)
    })
  } finally {
    reader.close()
  }
  for (const link of links) {
    const detail = link.object === undefined ? findLinkFault(into, link) : undefined
    if (detail !== undefined) into.skip(link.path, 'symlink', detail)
  }
}

/** Whether the words of a link's target lead outside by themselves, wherever it may stand on the disk. */
function isOutside(link: ChangedOther, target: Uint8Array): boolean {
  if (target[0] === 0x2f) return true
  const bytes = link.raw === undefined ? encodePath(link.path) : Buffer.from(link.raw)
  // Latin-1 carries every byte through the arithmetic on paths.
  const place = posix.join(posix.dirname(bytes.toString('latin1')), Buffer.from(target).toString('latin1'))
  const { path } = parsePathName(Buffer.from(place, 'latin1'))
  return path === '..' || path.startsWith('../')
}
