import type { Notice } from '../base/records/run.ts'
import { CACHE_KEY_VARIABLE, type Seal } from '../sources/state/cache-seal.ts'
import { CACHE_FOLDER } from './cache-folder.ts'

/** What a scan says where results from before are not believed, or none can be kept. */
export function sealNotices(seal: Seal | undefined, isRefused: boolean, isDry = false): Notice[] {
  const say = (kind: Notice['kind'], detail: string): Notice[] => [{ kind, file: CACHE_FOLDER, detail }]
  if (!seal && isDry) return []
  if (!seal)
    return say(
      'cache_not_kept',
      `no key could be created to seal results with, so none are cached; set ${CACHE_KEY_VARIABLE}.`,
    )
  if (!isRefused) return []
  const key = seal.isGiven ? CACHE_KEY_VARIABLE : 'the key of this user'
  return say('cache_refused', `it is not sealed with ${key}, or was changed since; every file was scanned again.`)
}
