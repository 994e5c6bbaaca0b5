import type { Place } from '../../../base/errors.ts'
import type { WrittenRule } from '../pack-file.ts'
import type { PlaceOf } from '../parse.ts'

/** The formats that packs can be imported from. */
export const PACK_FORMATS = ['svc', 'ast-grep', 'semgrep', 'codeql'] as const
export type PackFormat = (typeof PACK_FORMATS)[number]

/** A rule that is to be imported, with the way back to where it was written. */
export interface DraftRule {
  data: WrittenRule
  file: string
  place: PlaceOf
}

/** One entry of a library that was made of a foreign format. */
export interface LibraryPart {
  id: string
  place: Place
  /** The list of the library that the entry belongs to. */
  key: string
  data: unknown
  match: string[]
  clean: string[]
}

/** A library that is to be imported. */
export interface DraftLibrary {
  /** Of its file, without the ending. */
  name: string
  data: Record<string, unknown>
  /** Of a foreign format: its entries, each with examples that were made of it. Those whose examples do not hold are left out. */
  parts?: LibraryPart[]
  file: string
  place: PlaceOf
}

/** A rule of a foreign format that was not taken over, and why. */
export interface LeftOut {
  id: string
  reason: string
  place: Place
}

/** A pack that is to be imported, not yet checked. */
export interface Draft {
  format: PackFormat
  /** What pack.yaml is to say. */
  head: Record<string, unknown>
  file: string
  place: PlaceOf
  rules: DraftRule[]
  libraries: DraftLibrary[]
  left_out: LeftOut[]
}

/** The longest pack file that is read; the longest built-in one is a twentieth of it. */
export const MAX_PACK_BYTES = 4 * 1024 * 1024

/** Words of lower-case letters and digits joined by hyphens, made of any text; empty where it has none. */
export function makeSlug(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
}

/** A rule's id of any text: at least two words, the pack's before it where it has one only. */
export function makeRuleId(text: string, packId: string): string {
  const id = makeSlug(text)
  return id.includes('-') ? id : id === '' ? `${packId}-rule` : `${packId}-${id}`
}
