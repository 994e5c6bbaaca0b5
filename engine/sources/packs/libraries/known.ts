import type { Library } from '../../../base/records/library.ts'
import type { Pack } from '../pack.ts'

/** Where a repository keeps libraries of its own. */
export const OWN_LIBRARIES = '.svc/libraries'

const known = new WeakMap<readonly Pack[], readonly Library[]>()

/** Keeps which libraries of the repository's own the rules of these packs know. */
export function keepOwnLibraries(packs: readonly Pack[], libraries: readonly Library[]): void {
  known.set(packs, libraries)
}

/** The libraries of the repository's own that the rules of packs know, which `loadPacks` loaded. */
export function listOwnLibraries(packs: readonly Pack[]): readonly Library[] {
  return known.get(packs) ?? []
}
