import { randomBytes } from 'node:crypto'
import { writeProjectFile } from '../../base/disk/project-write.ts'
import { readSettings } from '../../base/disk/settings-file.ts'
import { EngineError } from '../../base/errors.ts'
import { COMMON_KEY } from '../../detect/secrets/identity.ts'

/** Where a repository keeps the key of its secrets' identities; committed, so that every machine gives the same secret the same identity. */
export const KEY_PATH = '.svc/secrets.salt'

/**
 * The key under which a repository's secrets are hashed: its own where it has one, else the common one. It is no secret towards
 * whoever can read the repository: they can read the secrets themselves. It keeps a report that leaves the repository from being tried
 * against lists of common passwords. CONFIG_INVALID where the file is damaged.
 */
export function computeIdentityKey(root: string): string {
  const text = readSettings(root, KEY_PATH, { most: 4096 })?.toString('latin1').trim()
  if (text === undefined) return COMMON_KEY
  if (/^[0-9a-f]{64}$/.test(text)) return text
  throw new EngineError('CONFIG_INVALID', `${KEY_PATH} must contain 64 hexadecimal digits and nothing else.`, {
    hint: 'Restore it from git. With a new one, every secret in the baseline counts as new.',
  })
}

/** Makes the repository's own key where it has none; answers whether it did. */
export function makeIdentityKey(root: string): boolean {
  if (computeIdentityKey(root) !== COMMON_KEY) return false
  writeProjectFile(root, KEY_PATH, `${randomBytes(32).toString('hex')}\n`)
  return true
}
