import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { locateSettings } from '../base/disk/settings-file.ts'
import { EngineError } from '../base/errors.ts'
import { CLIENT_NAMES } from './clients.ts'
import { RECORD_PATH } from './record.ts'
import { listTargets, type Target } from './targets.ts'

/** What was left as it is, and why. */
export interface Left {
  path: string
  reason: string
}

/**
 * The targets where they really are, each once. Nothing is written through a link, which could lead to the program's sources or into `.git`:
 * only instructions and skills that are a link to others of an assistant are written, there. CONFLICT for any other link; where svc is
 * removed, it is left.
 */
export function settleTargets<T extends Target & { remove: boolean }>(
  root: string,
  targets: readonly T[],
): { targets: (Target & { remove: boolean })[]; left: Left[] } {
  const known = listTargets(root, CLIENT_NAMES, true)
  const settled = new Map<string, Target & { remove: boolean }>()
  const left: Left[] = []
  for (const target of targets) {
    const place = findPlace(root, target.path)
    const at = place === target.path ? target : known.find(one => one.path === place && isAlike(one, target))
    if (at) settled.set(at.path, settled.get(at.path) ?? { ...at, remove: target.remove })
    else if (target.remove) left.push({ path: target.path, reason: `is reached through a symbolic link, at ${place}` })
    else throw refuseLink(target.path, place)
  }
  return { targets: [...settled.values()], left }
}

/** CONFLICT where the record would be written through a link. */
export function refuseLinkedRecord(root: string): void {
  const place = findPlace(root, RECORD_PATH)
  if (place !== RECORD_PATH) throw refuseLink(RECORD_PATH, place)
}

function isAlike(one: Target, other: Target): boolean {
  if (one.kind === 'block' && other.kind === 'block') return one.block === other.block
  return one.kind === 'whole' && other.kind === 'whole'
}

function refuseLink(path: string, place: string): EngineError {
  return new EngineError(
    'CONFLICT',
    `${path} is reached through a symbolic link, at ${place}, so nothing was written.`,
    {
      place: { file: path, line: 1 },
      hint: 'Replace the link with a file or directory, then run the command again.',
    },
  )
}

/** Where a path leads, from the root; links on the way resolved. CONFIG_INVALID where it leads out of the repository. */
function findPlace(root: string, path: string): string {
  const missing: string[] = []
  let at = path
  while (at !== '.' && !lstatSync(join(root, at), { throwIfNoEntry: false })) {
    missing.unshift(basename(at))
    at = dirname(at)
  }
  const place = at === '.' ? undefined : locateSettings(root, at)
  if (place === undefined) return path
  return [relative(realpathSync.native(root), place).split(sep).join('/'), ...missing].join('/')
}
