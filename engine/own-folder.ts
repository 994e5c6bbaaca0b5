import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError } from './errors.ts'

/**
 * Whether a folder of svc's own (`out`, `.svc/local/cache`) is reached through a symbolic link below the root. A repository can bring
 * such a link, and what is read or written there would then be wherever it leads.
 */
export function isLinked(root: string, folder: string): boolean {
  let at = root
  return folder.split('/').some(part => {
    at = join(at, part)
    return lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true
  })
}

/** PATH_ESCAPES where a folder that is about to be written to is linked. */
export function refuseLinked(root: string, folder: string): void {
  if (!isLinked(root, folder)) return
  throw new EngineError(
    'PATH_ESCAPES',
    `${folder} is reached through a symbolic link, and svc does not write through any.`,
    {
      hint: 'Put a folder in the place of the link.',
    },
  )
}
