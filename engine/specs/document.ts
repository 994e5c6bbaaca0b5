import { EngineError, type Fault, type Place } from '../base/errors.ts'
import { parseYaml } from '../sources/config/parse.ts'

/** The formats of API specifications that rules are made from. */
export const SPEC_FORMATS = ['openapi', 'asyncapi', 'protobuf'] as const
export type SpecFormat = (typeof SPEC_FORMATS)[number]

/** The longest specification that is read. */
export const MAX_SPEC_BYTES = 16 * 1024 * 1024

/** A specification in YAML or JSON as plain data, with the way back to its places. */
export interface SpecDocument {
  format: 'openapi' | 'asyncapi'
  /** As the document says: 2.0, 3.1.0, … */
  version: string
  /** How the file is written, which decides the grammar that rules look at it with. */
  language: 'yaml' | 'json'
  file: string
  data: Tree
  /** Where the key or the value at a path of keys stands. */
  place(path: readonly string[], part: 'key' | 'value'): Place
}

export type Tree = Record<string, unknown>

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Which format a text is of, by what it says; undefined where nothing tells. */
export function detectFormat(text: string, file: string): SpecFormat | undefined {
  if (/^\s*["']?(?:openapi|swagger)["']?\s*:/m.test(text) || /[{,]\s*"(?:openapi|swagger)"\s*:/.test(text))
    return 'openapi'
  if (/^\s*["']?asyncapi["']?\s*:/m.test(text) || /[{,]\s*"asyncapi"\s*:/.test(text)) return 'asyncapi'
  if (/\.proto$/i.test(file) || /^\s*(?:syntax|edition)\s*=\s*["']/m.test(text)) return 'protobuf'
  return undefined
}

/** Reads a specification in YAML or JSON; INPUT_INVALID with the place where it cannot be, or says no version. */
export function readDocument(bytes: Uint8Array, file: string, format: 'openapi' | 'asyncapi'): SpecDocument {
  const { value, faults, placeOf } = parseYaml(bytes, file, MAX_SPEC_BYTES)
  if (faults.length > 0) throw refuseSpec(file, faults)
  if (!isTree(value)) throw refuseSpec(file, [{ message: 'it is not a map of keys', place: placeOf([], 'value') }])
  const key = format === 'asyncapi' ? 'asyncapi' : 'swagger' in value ? 'swagger' : 'openapi'
  const version = value[key]
  if (typeof version !== 'string') {
    const said = version === undefined ? `it does not say ${key}` : `${key} must be a text, such as "3.1.0"`
    throw refuseSpec(file, [{ message: said, place: placeOf([key], 'value') }])
  }
  const text = new TextDecoder().decode(bytes.subarray(0, 64))
  const language = /^\s*\{/.test(text) && !/\.ya?ml$/i.test(file) ? 'json' : 'yaml'
  return { format, version, language, file, data: value, place: placeOf }
}

/** INPUT_INVALID for a specification with these faults. */
export function refuseSpec(file: string, faults: Fault[]): EngineError {
  const [first] = faults
  const { place } = first ?? {}
  const at = place?.line === undefined ? '' : `:${place.line}:${place.column}`
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  return new EngineError('INPUT_INVALID', `${file}${at} is not a valid specification: ${first?.message}${more}`, {
    hint: 'Correct the named place; nothing was written.',
    place,
    faults,
  })
}
