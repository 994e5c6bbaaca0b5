import { computeSha256 } from '../sources/state/seal.ts'
import type { Transaction } from '../sources/state/state.ts'

/** What retention removed. */
export interface Pruned {
  removed: number
  /** The last one that was removed; 0 where none was. */
  removed_through: number
  /** The sealed texts, oldest first, for an archive. */
  texts: string[]
}

/**
 * Removes the entries before a time, but never the newest. The checkpoint that it leaves behind names the last one that
 * was removed with its hash, so that the chain stays provable from there on, and the archive from its beginning to there.
 */
export function pruneBefore(tx: Transaction, before: string): Pruned {
  const rows = tx.rows(
    `SELECT seq, text FROM audit WHERE seq < (SELECT max(seq) FROM audit)
       AND seq < coalesce((SELECT min(seq) FROM audit WHERE json_extract(text, '$.at') >= ?), 9e18) ORDER BY seq`,
    before,
  )
  const texts = rows.map(({ text }) => text as string)
  if (texts.length === 0) return { removed: 0, removed_through: 0, texts }
  const through = rows.at(-1)!.seq as number
  tx.execute('DELETE FROM audit WHERE seq <= ?', through)
  tx.audit({
    action: 'audit.checkpoint',
    target: `1-${through}`,
    decision: 'allowed',
    details: { removed_through: through, removed: texts.length, hash: computeSha256(texts.at(-1)!), before },
  })
  return { removed: texts.length, removed_through: through, texts }
}
