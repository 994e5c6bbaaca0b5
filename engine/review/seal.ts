import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from '../base/context.ts'
import { nameRepository } from '../sources/repository/repository-name.ts'
import { type AuditKey, openKeyring, readKnownKeys } from '../sources/state/key.ts'

// The output directory can be written by whoever changes the code, so what a user has decided there is sealed with the key of the
// audit log, which lies in the user's state directory or in GUARD_AUDIT_HMAC_KEY.

/** What a user has decided, about which code of which repository. */
export interface SealedFacts {
  /** The directory of the repository: a seal holds in no other one. */
  root: string
  id: string
  digest: string
  by: string | undefined
  at: string | undefined
}

/** `hmac-sha256:<key id>:<64 hexadecimal digits>`; makes the key where there is none. */
export function makeSeal(kind: 'acknowledged' | 'mitigated', facts: SealedFacts, env: Context['env']): string {
  return format(kind, facts, openKeyring(env).signing)
}

/** Whether a key that is known here has sealed the facts; no key is made. */
export function isSealed(
  kind: 'acknowledged' | 'mitigated',
  facts: SealedFacts,
  seal: unknown,
  env: Context['env'],
): boolean {
  if (typeof seal !== 'string') return false
  const key = readKnownKeys(env).known.get(seal.split(':')[1] ?? '')
  if (!key) return false
  const [is, was] = [format(kind, facts, key), seal].map(text => Buffer.from(text, 'utf8'))
  return is!.length === was!.length && timingSafeEqual(is!, was!)
}

function format(kind: string, { root, id, digest, by, at }: SealedFacts, key: AuditKey): string {
  const text = JSON.stringify(['svc review seal', nameRepository(root), kind, id, digest, by ?? null, at ?? null])
  return `hmac-sha256:${key.id}:${createHmac('sha256', key.bytes).update(text).digest('hex')}`
}
