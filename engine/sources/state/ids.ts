import { randomBytes } from 'node:crypto'

/** Kinds of records by the prefix of their ids: task session, delegation, grant, approval. */
export type IdPrefix = 'TS' | 'DG' | 'GR' | 'AP'

/** A new id: the prefix and 12 random hex digits. */
export function makeId(prefix: IdPrefix): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`
}

/** Whether a text can be the id of such a record. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return /^[A-Z]{2}-[0-9a-f]{12}$/.test(text) && text.startsWith(prefix)
}
