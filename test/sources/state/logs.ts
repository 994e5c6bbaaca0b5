import { type Log, type Verified, verifyLog } from '../../../engine/audit/verify.ts'
import { append, makeEmptyHead, sealHead } from '../../../engine/sources/state/chain.ts'
import type { Acting } from '../../../engine/sources/state/entry.ts'
import type { AuditKey } from '../../../engine/sources/state/key.ts'

export const KEY: AuditKey = { id: 'a'.repeat(16), bytes: Buffer.alloc(32, 1) }
export const OTHER_KEY: AuditKey = { id: 'b'.repeat(16), bytes: Buffer.alloc(32, 2) }
export const LOG_ID = '0123456789abcdef'

const ACTING: Acting = {
  surface: 'cli',
  actor: { agent: 'builder', method: 'credential', session_id: null, trust_level: 'scan' },
  policy_digest: 'p'.repeat(64),
}

/** A log in the making: its texts may be meddled with before it is verified. */
export interface Made {
  texts: string[]
  head: string | undefined
}

/** A sound log of so many entries. */
export function makeLog(count: number, { key = KEY, id = LOG_ID, target = (seq: number) => `TS-${seq}` } = {}): Made {
  const texts: string[] = []
  let head = makeEmptyHead(id)
  for (let seq = 1; seq <= count; seq++) {
    const draft = {
      action: 'task.bind',
      target: target(seq),
      decision: 'allowed' as const,
      details: { note: `"seq":${seq}` },
    }
    const next = append(head, draft, ACTING, new Date(1_700_000_000_000 + seq * 1000).toISOString(), key)
    texts.push(next.sealed.text)
    head = next.head
  }
  return { texts, head: sealHead(head, key) }
}

export function verify(
  { texts, head }: Made,
  keys: AuditKey[] = [KEY],
  marks: Parameters<typeof verifyLog>[2] = [],
): Verified {
  const log: Log = { texts: () => texts, head }
  return verifyLog(log, new Map(keys.map(key => [key.id, key])), marks)
}
