import { join } from 'node:path'
import { readEncrypted, writeEncrypted } from '../base/disk/encrypted-file.ts'
import { isLinked } from '../base/disk/own-folder.ts'
import { runInTurn } from '../base/disk/turn.ts'
import { EngineError } from '../base/errors.ts'
import { isObject } from '../base/text/json-object.ts'
import { nameRepository } from '../sources/repository/repository-name.ts'
import { makeLocalFolder } from '../sources/state/local-folder.ts'
import { type Check, mergeChecks, showCheck } from './check.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Relative to the repository's root. */
export const CHECKS_FILE = '.svc/local/secret_checks.json'
const PURPOSE = 'secret checks'
/** Made by the process that adds to the file, for as long as it does. */
export const TURN_FILE = `${CHECKS_FILE}.turn`
/** Secrets that are kept; of more, those that were asked about last. */
const MOST = 1500

/** Another version's file is asked for anew. */
const VERSION = 1

/** What is encrypted. The file is authenticated, so its content is what svc has written. */
interface Kept {
  version: number
  repository: string
  checks: [id: string, check: Check][]
}

/** What is kept, by the secrets' identities: `missing` where nobody has asked yet, `unreadable` where what is there holds no longer. */
export interface KeptChecks {
  state: 'kept' | 'missing' | 'unreadable'
  checks: ReadonlyMap<string, Check>
}

/**
 * The checks that this user has had made of this repository, on this machine. The file is encrypted and authenticated with a key of the
 * user's state directory: no identity can be tried against likely passwords by whoever gets the file, and what a repository
 * ships in its place, another repository's file among it, is `unreadable` and says nothing of any secret.
 */
export function readChecks(root: string, env: Environment): KeptChecks {
  const none = (state: 'missing' | 'unreadable') => ({ state, checks: new Map<string, Check>() })
  let found: unknown
  try {
    if (isLinked(root, CHECKS_FILE)) return none('unreadable')
    found = readEncrypted(join(root, CHECKS_FILE), PURPOSE, env)
  } catch (error) {
    // A file where a directory belongs is one of the things that a repository can bring, too.
    if (error instanceof EngineError || (error as NodeJS.ErrnoException).code !== undefined) return none('unreadable')
    throw error
  }
  if (found === undefined) return none('missing')
  if (!isObject(found) || found.version !== VERSION || found.repository !== nameRepository(root))
    return none('unreadable')
  return { state: 'kept', checks: new Map((found as unknown as Kept).checks) }
}

/** The identities of the secrets that are live by checks that are current at this time, in milliseconds since 1970. */
export function listLive(root: string, env: Environment, now: number): string[] {
  const live = [...readChecks(root, env).checks].filter(
    ([, check]) => check.state === 'live' && showCheck(check, now).current,
  )
  return live.map(([id]) => id)
}

/**
 * Adds checks to those that are kept, in one step and one process after another, so that none of two verifications takes away what the other
 * was told. DISK where they cannot be written, FORBIDDEN where a link is in the way.
 */
export async function keepChecks(root: string, env: Environment, made: ReadonlyMap<string, Check>): Promise<void> {
  makeLocalFolder(root)
  await runInTurn(join(root, TURN_FILE), async () => addChecks(root, env, made))
}

function addChecks(root: string, env: Environment, made: ReadonlyMap<string, Check>): void {
  const all = new Map(readChecks(root, env).checks)
  for (const [id, check] of made) {
    const merged = mergeChecks(all.get(id), check)
    // To the end, since the oldest are dropped first.
    all.delete(id)
    all.set(id, merged)
  }
  const checks = [...all].slice(-MOST)
  const kept: Kept = { version: VERSION, repository: nameRepository(root), checks }
  writeEncrypted(join(root, CHECKS_FILE), PURPOSE, kept, env)
}
