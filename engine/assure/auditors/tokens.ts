import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { EngineError } from '../../base/errors.ts'
import { AUDITOR_SCOPES, type AuditorScope, type AuditorToken } from '../../sources/state/records.ts'
import type { Transaction } from '../../sources/state/state.ts'
import type { Reader } from '../../sources/state/tables.ts'

const BEGIN = 'svc_auditor_'
/** Characters after the beginning that name a token in lists and in the audit log. */
const PREFIX_LENGTH = 8
const TOKEN = /^svc_auditor_([A-Za-z0-9_-]{43})$/

/** A token as it is listed: nothing in it opens anything. */
export type ShownToken = Omit<AuditorToken, 'token_hash'>

/**
 * A new token: 256 random bits after the beginning that names its kind, drawn again where they would begin with a dash: the prefix is an
 * argument of `svc auditor revoke`, and a dash would make it an option.
 */
export function makeToken(): string {
  const drawn = randomBytes(32).toString('base64url')
  return drawn.startsWith('-') ? makeToken() : `${BEGIN}${drawn}`
}

/** The public part of a token; undefined for a text that is none. */
export function findPrefix(token: string): string | undefined {
  return TOKEN.exec(token)?.[1]?.slice(0, PREFIX_LENGTH)
}

/** Reads `findings,trends`, or `all`. INPUT_INVALID names a scope that there is not. */
export function parseScopes(text: string): AuditorScope[] {
  const names = text
    .split(',')
    .map(name => name.trim())
    .filter(Boolean)
  if (names.includes('all')) return [...AUDITOR_SCOPES]
  const unknown = names.find(name => !(AUDITOR_SCOPES as readonly string[]).includes(name))
  if (unknown === undefined && names.length > 0) return AUDITOR_SCOPES.filter(scope => names.includes(scope))
  throw new EngineError('INPUT_INVALID', `${JSON.stringify(unknown ?? text)} is no scope of an auditor token.`, {
    hint: `Scopes: all, ${AUDITOR_SCOPES.join(', ')}.`,
  })
}

/** Makes a token; it is in the answer and nowhere else. INPUT_INVALID for a name or an address that is none. */
export function createToken(
  tx: Transaction,
  {
    name,
    email,
    hours,
    scopes,
    by,
  }: { name: string; email: string; hours: number; scopes: AuditorScope[]; by: string },
): { token: string; shown: ShownToken } {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} .,'’_-]{0,99}$/u.test(name))
    throw new EngineError('INPUT_INVALID', `${JSON.stringify(name)} cannot be the name of an auditor.`, {
      hint: 'Use letters, digits, spaces, dots and dashes, at most 100.',
    })
  if (email.length > 254 || !/^[^\s@<>"]{1,64}@[^\s@<>"]{1,189}$/.test(email))
    throw new EngineError('INPUT_INVALID', `${JSON.stringify(email)} is no e-mail address.`)
  const token = makeToken()
  const shown: ShownToken = {
    ...{ prefix: findPrefix(token)!, name, email, scopes },
    ...{ created_at: tx.at, created_by: by, revoked_at: null },
    expires_at: new Date(Date.parse(tx.at) + hours * 3_600_000).toISOString(),
  }
  tx.insert('auditors', { token_hash: hashToken(token), ...shown })
  tx.audit({
    action: 'auditor.create',
    target: shown.prefix,
    decision: 'allowed',
    details: { name, email, scopes, expires_at: shown.expires_at },
  })
  return { token, shown }
}

/** Tokens, newest first: those that open something now, or all. */
export function listTokens(reader: Reader, at: string, all: boolean): ShownToken[] {
  return reader
    .find('auditors', 'created_at >= ? ORDER BY created_at DESC, rowid DESC', '')
    .filter(token => all || isActive(token, at))
    .map(({ token_hash: _, ...shown }) => shown)
}

/** Revokes every active token whose prefix begins so. INPUT_INVALID for a text that is no beginning of one, NOT_FOUND for none. */
export function revokeTokens(tx: Transaction, begun: string): ShownToken[] {
  const wanted = begun.startsWith(BEGIN) ? begun.slice(BEGIN.length, BEGIN.length + PREFIX_LENGTH) : begun
  if (!/^[A-Za-z0-9_-]{1,8}$/.test(wanted))
    throw new EngineError('INPUT_INVALID', 'A prefix has 1 to 8 letters, digits, dashes and underscores.', {
      hint: 'List tokens with `svc auditor list`.',
    })
  const found = tx
    .find('auditors', 'revoked_at IS NULL ORDER BY created_at')
    .filter(token => token.prefix.startsWith(wanted) && isActive(token, tx.at))
  if (found.length === 0)
    throw new EngineError('NOT_FOUND', `No active token begins with ${wanted}.`, {
      hint: 'List tokens with `svc auditor list`.',
    })
  return found.map(({ token_hash, ...shown }) => {
    tx.update('auditors', token_hash, { revoked_at: tx.at })
    tx.audit({ action: 'auditor.revoke', target: shown.prefix, decision: 'allowed', details: { name: shown.name } })
    return { ...shown, revoked_at: tx.at }
  })
}

/** What a presented token is: the record that it opens, or why it opens nothing. */
export type Presented =
  | { token: AuditorToken }
  | { refused: 'unknown' }
  | { refused: 'expired' | 'revoked' | 'wrong'; prefix: string }

/**
 * Checks a presented token. The record is found by the public prefix; the rest is compared as digests in constant time, with every record
 * of that prefix, so the time tells nothing of how much was right.
 */
export function checkToken(reader: Reader, presented: string, at: string): Presented {
  const prefix = findPrefix(presented)
  if (prefix === undefined) return { refused: 'unknown' }
  const records = reader.find('auditors', 'prefix = ?', prefix)
  const hash = Buffer.from(hashToken(presented), 'hex')
  let own: AuditorToken | undefined
  for (const record of records) if (timingSafeEqual(hash, Buffer.from(record.token_hash, 'hex'))) own = record
  if (reader.faults.length > 0) return { refused: 'wrong', prefix }
  if (!own) return records.length > 0 ? { refused: 'wrong', prefix } : { refused: 'unknown' }
  if (own.revoked_at !== null) return { refused: 'revoked', prefix }
  return own.expires_at <= at ? { refused: 'expired', prefix } : { token: own }
}

function isActive({ revoked_at, expires_at }: AuditorToken, at: string): boolean {
  return revoked_at === null && expires_at > at
}

/** The bits are random, so a slow hash would add nothing. */
function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
