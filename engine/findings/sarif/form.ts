/**
 * The parts of SARIF 2.1.0 (OASIS) that are read. Everything may be missing or of another type than the standard says: files come
 * from many tools, so each value is asked what it is where it is used.
 */
export type Json = Record<string, unknown>

/** The value as a map; an empty one where it is none. */
export function map(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

/** The value as a list; an empty one where it is none. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value as a text that says something, without white space around it; undefined where it is none. */
export function readString(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** The value as a whole number, also where it is written as a text; undefined where it is none. */
export function readWhole(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

/** The element that an index property names; undefined where there is none (SARIF writes -1 for that). */
export function readElement(values: unknown, index: unknown): Json | undefined {
  const at = readWhole(index)
  const found = at === undefined || at < 0 ? undefined : list(values)[at]
  return found === undefined ? undefined : map(found)
}
