import { join } from 'node:path'
import { readEncrypted, writeEncrypted } from '../../base/disk/encrypted-file.ts'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { ignoreAll, refuseLinked, UnreadableFile } from '../../base/disk/own-folder.ts'
import { EngineError } from '../../base/errors.ts'
import type { DevopsKind } from '../providers/names.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Tokens of one connection. */
export interface StoredTokens {
  access_token: string
  refresh_token?: string
  /** ISO time after which the access token is refused; absent where the provider names none. */
  expires_at?: string
  scope?: string
  connected_at: string
  /** Address of the provider that the tokens belong to: they are sent to no other. */
  base_url: string
}

export type TokenFile = Partial<Record<DevopsKind, StoredTokens>>

/** Relative to the repository's root (spec "Files"). */
export const TOKEN_FILE = '.svc/local/oauth_tokens.json'
const PURPOSE = 'oauth tokens'

/** Every stored connection. */
export function readTokens(root: string, env: Environment): TokenFile {
  refuseLinked(root, '.svc/local')
  const found = readEncrypted(join(root, TOKEN_FILE), PURPOSE, env)
  return typeof found === 'object' && found !== null ? (found as TokenFile) : {}
}

/** Replaces the tokens of one connection, or removes them. What the other connections have stays. */
export function storeTokens(root: string, kind: DevopsKind, tokens: StoredTokens | undefined, env: Environment): void {
  let all: TokenFile
  try {
    all = readTokens(root, env)
  } catch (error) {
    // A file that nobody can decrypt any more is replaced: its tokens are lost either way. One that cannot be read now is not.
    if (!(error instanceof EngineError) || error.code !== 'STORE_UNREADABLE' || error instanceof UnreadableFile)
      throw error
    all = {}
  }
  if (tokens) all[kind] = tokens
  else delete all[kind]
  const folder = join(root, '.svc/local')
  makeFolders(folder, { mode: 0o700 })
  ignoreAll(folder)
  writeEncrypted(join(root, TOKEN_FILE), PURPOSE, all, env)
}
