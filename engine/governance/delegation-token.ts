import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { EngineError } from '../base/errors.ts'
import { TRUST_LEVELS, type TrustLevel } from '../sources/config/values.ts'
import type { Delegation, Session } from '../sources/state/records.ts'
import { findLowest } from './trust.ts'
import { loadUserKey } from './user-key.ts'

/** What one block of a token says. A later block can only take away: the rights are what all blocks together leave. */
interface Block {
  delegation_id: string
  session_id: string
  agent: string
  trust_level: TrustLevel
  /** Lists of globs; a path must be permitted by every list. */
  paths: string[][]
  expires_at: string
  /** The public key that the next block must be signed for, Ed25519, raw in base64url. */
  next: string
}

/** What a token is worth. */
export interface Rights {
  /** Who it was handed to, the last one last. */
  agents: string[]
  delegation_id: string
  session_id: string
  trust_level: TrustLevel
  paths: string[][]
  expires_at: string
}

const PREFIX = 'svc_delegation_'
/** Blocks of a token; more is no chain of delegations. */
const MOST_BLOCKS = 64

type Environment = Readonly<Record<string, string | undefined>>

/**
 * A token that proves a delegation where the records are not: blocks signed with Ed25519 (RFC 8032), the first with the
 * key of this user, each further one with a key that only the holder of the token has. So whoever holds it can hand on
 * less, nobody can make it more, and the user's public key is all it takes to verify it. `above` are all sessions above the
 * delegation's own.
 */
export function issueToken(
  env: Environment,
  { id, session_id, agent, trust_level, paths, expires_at }: Delegation,
  above: readonly Pick<Session, 'authorized_paths'>[],
): string {
  const lists = [...above.map(({ authorized_paths }) => authorized_paths), paths]
  return extended([], { delegation_id: id, session_id, agent, trust_level, paths: lists, expires_at }, rootKey(env))
}

/** A token with less: lower trust, fewer paths, an earlier end, for another agent. What would be more changes nothing. */
export function narrowToken(
  token: string,
  less: { agent?: string; trust_level?: TrustLevel; paths?: string[]; expires_at?: string },
): string {
  const { blocks, holder } = parse(token)
  const last = blocks.at(-1)!.block
  const block = {
    delegation_id: last.delegation_id,
    session_id: last.session_id,
    agent: less.agent ?? last.agent,
    trust_level: less.trust_level ?? last.trust_level,
    paths: less.paths ? [less.paths] : [],
    expires_at: less.expires_at ?? last.expires_at,
  }
  return extended(blocks, block, holder)
}

/** The rights of a token as of a moment; FORBIDDEN where a signature or its end does not hold, or its time is over. */
export function verifyToken(token: string, publicKey: KeyObject, at: string): Rights {
  const { blocks } = parse(token)
  let key = publicKey
  for (const { text, signature, block } of blocks) {
    if (!verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url')))
      throw new EngineError('FORBIDDEN', 'A signature of the delegation token is not valid.')
    key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: block.next }, format: 'jwk' })
  }
  const all = blocks.map(({ block }) => block)
  const expires_at = all.map(({ expires_at }) => expires_at).sort()[0]!
  if (expires_at <= at) throw new EngineError('FORBIDDEN', `The delegation token has expired at ${expires_at}.`)
  return {
    agents: all.map(({ agent }) => agent),
    delegation_id: all[0]!.delegation_id,
    session_id: all[0]!.session_id,
    trust_level: findLowest(...all.map(({ trust_level }) => trust_level)),
    paths: all.flatMap(({ paths }) => paths),
    expires_at,
  }
}

/** The key of this user that tokens are verified with, in PEM. */
export function exportPublicKey(env: Environment): string {
  return createPublicKey(rootKey(env)).export({ type: 'spki', format: 'pem' }).toString()
}

interface Signed {
  text: string
  signature: string
  block: Block
}

function extended(blocks: readonly Signed[], block: Omit<Block, 'next'>, key: KeyObject): string {
  const pair = generateKeyPairSync('ed25519')
  const text = JSON.stringify({ ...block, next: rawPublic(pair.publicKey) })
  const signature = sign(null, Buffer.from(text), key).toString('base64url')
  const secret = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url')
  const list = [...blocks.map(({ text, signature }) => [text, signature]), [text, signature]]
  return PREFIX + Buffer.from(JSON.stringify([list, secret])).toString('base64url')
}

/**
 * A token's blocks, and the key of who holds it. That key must be the one which the last block names: whoever leaves the
 * last block out, to get back what it took away, has no such key. FORBIDDEN then, INPUT_INVALID for what is no token.
 */
function parse(token: string): { blocks: Signed[]; holder: KeyObject } {
  const { blocks, holder } = read(token)
  if (rawPublic(createPublicKey(holder)) !== blocks.at(-1)!.block.next)
    throw new EngineError('FORBIDDEN', 'The end of the delegation token is not valid: a block was removed.')
  return { blocks, holder }
}

function read(token: string): { blocks: Signed[]; holder: KeyObject } {
  try {
    if (!token.startsWith(PREFIX)) throw new Error('prefix')
    const [list, secret] = JSON.parse(Buffer.from(token.slice(PREFIX.length), 'base64url').toString('utf8'))
    if (list.length === 0 || list.length > MOST_BLOCKS) throw new Error('blocks')
    const blocks = (list as [string, string][]).map(([text, signature]) => ({ text, signature, block: blockOf(text) }))
    const holder = createPrivateKey({ key: Buffer.from(secret, 'base64url'), format: 'der', type: 'pkcs8' })
    return { blocks, holder }
  } catch (error) {
    throw new EngineError('INPUT_INVALID', 'That is not a delegation token.', { cause: error })
  }
}

/** A public key as blocks name it. */
function rawPublic(key: KeyObject): string {
  return (key.export({ format: 'jwk' }) as { x: string }).x
}

function blockOf(text: string): Block {
  const block = JSON.parse(text) as Block
  const texts = [block.delegation_id, block.session_id, block.agent, block.expires_at]
  const sound =
    texts.every(value => typeof value === 'string') &&
    /^[\w-]{43}$/.test(block.next) &&
    TRUST_LEVELS.includes(block.trust_level) &&
    Array.isArray(block.paths) &&
    block.paths.every(list => Array.isArray(list) && list.every(glob => typeof glob === 'string'))
  if (!sound) throw new Error('block')
  return block
}

/** The key that a delegation begins with. */
function rootKey(env: Environment): KeyObject {
  return loadUserKey(env, 'delegation.key', 'delegation tokens')
}
