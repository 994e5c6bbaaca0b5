import { ManifestFault } from '../parsed.ts'

export type Fields = Record<string, unknown>

/** The value as an object; an empty one where it is something else. Never trusts a prototype: only own fields are there. */
export function asFields(value: unknown): Fields {
  return isFields(value) ? value : {}
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as a list; an empty one where it is something else. */
export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value as text: numbers too, since YAML reads `1.0` as one. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined
}

/** The texts of a list; one text is a list of one. */
export function asTexts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap(each => asText(each) ?? [])
}

/** The object that a file must be. */
export function requireFields(value: unknown, what: string): Fields {
  if (isFields(value)) return value
  throw new ManifestFault(`${what} must be an object, and is ${describeType(value)}`)
}

/** The fields of an object that have an object as value. Refuses another type of the whole, which would lose entries silently. */
export function requireTable(value: unknown, what: string): [string, Fields][] {
  if (value === undefined || value === null) return []
  return Object.entries(requireFields(value, what)).map(([key, each]) => [key, requireFields(each, `${what}: ${key}`)])
}

/** The list that a field must be, if it is there. */
export function requireList(value: unknown, what: string): unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  throw new ManifestFault(`${what} must be a list, and is ${describeType(value)}`)
}

export function describeType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
