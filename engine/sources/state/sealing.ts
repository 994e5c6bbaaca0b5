import type { Acting, AuditDraft } from './entry.ts'
import type { RawRow, Seals } from './seals.ts'
import { KEYS, openRow, openSessions, type Reader, type Tables, type Writer } from './tables.ts'

/** Sealing a file of an earlier version is nobody's act. */
export const SEALING: Acting = {
  surface: 'cli',
  actor: { agent: 'svc', method: 'none', session_id: null, trust_level: 'none' },
  policy_digest: '',
}

/**
 * Seals what a transaction has written: the digest of each row stands in the entry that tells of it, and the last entry
 * carries the digest of all. A file of before rows were sealed is sealed whole, and so, with `anew`, is one that a person
 * accepts. `last` is the entry that the log ended with.
 */
export function sealTransaction(
  seals: Seals,
  transaction: Writer & { readonly drafts: AuditDraft[] },
  last: number,
  anew: boolean,
): void {
  const { drafts } = transaction
  if (anew) seals.clear()
  const isWhole = !seals.isSealed
  const rows = isWhole ? readEveryRow(transaction) : transaction.toSeal()
  const byTarget = new Map(drafts.map(({ target }, index) => [target, index]))
  const teller = (record: string) => byTarget.get(record.slice(record.indexOf(' ') + 1)) ?? drafts.length - 1
  if (isWhole || rows.size > 0) {
    const digests = seals.seal(rows, record => last + 1 + teller(record))
    if (!isWhole) tellDigests(drafts, digests, teller)
  }
  const end = drafts.at(-1)!
  end.details = { ...end.details, records_root: seals.root }
}

/** Writes the digest of each record into the entry that tells of it. */
function tellDigests(
  drafts: AuditDraft[],
  digests: Readonly<Record<string, string | null>>,
  teller: (record: string) => number,
): void {
  const told = new Map<number, Record<string, string | null>>()
  for (const [record, digest] of Object.entries(digests)) {
    const index = teller(record)
    const own = told.get(index) ?? {}
    own[record] = digest
    told.set(index, own)
  }
  for (const [index, records] of told) {
    const draft = drafts[index]!
    draft.details = { ...draft.details, records: { ...(draft.details?.records as object), ...records } }
  }
}

/** Every row that is sealed, by its record's name. */
export function readEveryRow(reader: Reader): Map<string, RawRow> {
  const rows = new Map<string, RawRow>()
  for (const [table, key] of Object.entries(KEYS) as [keyof Tables, string][])
    for (const row of reader.rows(`SELECT * FROM ${table}`))
      if (row[key] !== 'audit_head') rows.set(`${table} ${row[key]}`, row)
  for (const { agent } of reader.rows("SELECT DISTINCT agent FROM sessions WHERE status IN ('active', 'violated')"))
    rows.set(openSessions(agent as string).join(' '), openRow(reader, agent as string)!)
  return rows
}
