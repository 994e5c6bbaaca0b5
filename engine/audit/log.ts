import type { AuditEntry } from '../sources/state/entry.ts'
import { checkIntegrity } from '../sources/state/seal.ts'
import type { State } from '../sources/state/state.ts'

/** Entries read at once: the log may be longer than memory. */
const PAGE = 5000

/** An entry as it is shown; one whose signature does not hold is flagged. */
export type ShownEntry = AuditEntry & { tampered?: true }

/** What is looked for in the log. */
export interface Filter {
  action?: string
  agent?: string
  decision?: string
  session?: string
  target?: string
  /** ISO 8601. */
  since?: string
  limit: number
  /** Only entries before this one. */
  before?: number
}

/** Every sealed text, in the order of the rows; whether that is the order of the entries is for `verifyLog` to say. */
export function* readEntryTexts(state: State): Generator<string> {
  for (let after = -1; ; ) {
    const rows = state.read(reader =>
      reader.rows('SELECT seq, text FROM audit WHERE seq > ? ORDER BY seq LIMIT ?', after, PAGE),
    )
    for (const { text } of rows) yield text as string
    if (rows.length < PAGE) return
    after = rows.at(-1)!.seq as number
  }
}

/** Entries that match, newest first. */
export function findEntries(state: State, { limit, before, ...wanted }: Filter): ShownEntry[] {
  const at = (path: string, value: string | undefined) => ({ path, value: value ?? null })
  const conditions = [
    at('$.action', wanted.action),
    at('$.actor.agent', wanted.agent),
    at('$.decision', wanted.decision),
    at('$.actor.session_id', wanted.session),
    at('$.target', wanted.target),
  ].filter(({ value }) => value !== null)
  const where = conditions.map(({ path }) => `json_extract(text, '${path}') = ?`)
  if (wanted.since) where.push("json_extract(text, '$.at') >= ?")
  if (before !== undefined) where.push('seq < ?')
  const values = [
    ...conditions.map(({ value }) => value),
    ...(wanted.since ? [wanted.since] : []),
    ...(before === undefined ? [] : [before]),
  ]
  // A row that is not JSON any more must not hide the others.
  const sound = 'json_valid(text)'
  const sql = `SELECT text FROM audit WHERE ${[sound, ...where].join(' AND ')} ORDER BY seq DESC LIMIT ?`
  return state.read(reader => reader.rows(sql, ...values, limit)).map(({ text }) => shown(state, text as string))
}

/** The newest entries, newest first. */
export function readLatestEntries(state: State, limit: number): ShownEntry[] {
  return findEntries(state, { limit })
}

/** The entries after one, oldest first. */
export function readEntriesAfter(state: State, seq: number): ShownEntry[] {
  return state
    .read(reader =>
      reader.rows('SELECT text FROM audit WHERE seq > ? AND json_valid(text) ORDER BY seq LIMIT ?', seq, PAGE),
    )
    .map(({ text }) => shown(state, text as string))
}

function shown(state: State, text: string): ShownEntry {
  const entry = JSON.parse(text) as AuditEntry
  return checkIntegrity(text, state.keyring.known) === 'holds' ? entry : { ...entry, tampered: true }
}
