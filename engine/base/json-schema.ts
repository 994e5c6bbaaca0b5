import { Validator } from '@cfworker/json-schema'
import { EngineError, type Fault } from './errors.ts'
import { findNearest } from './text/nearest.ts'
import { describeKind, findPlainKey, formatValue } from './text/words.ts'

/** The part of JSON Schema 2020-12 that the manifest uses. */
export interface JsonSchema {
  type?: string
  description?: string
  default?: unknown
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  additionalProperties?: boolean | JsonSchema
  anyOf?: JsonSchema[]
  minimum?: number
  maximum?: number
  [keyword: string]: unknown
}

/**
 * The input with defaults filled in, or INPUT_INVALID that names every fault: which field, what it must be (the field's
 * description), what it was, and the field that was probably meant. Nothing is coerced: surfaces that carry text use `parseTyped` first.
 */
export function check(schema: JsonSchema, input: unknown): unknown {
  const filled = fillInDefaults(schema, input ?? {})
  const faults: Fault[] = findFaults(schema, filled).map(({ message }) => ({ message }))
  if (faults.length === 0) return filled
  const first = faults[0]!.message
  throw new EngineError('INPUT_INVALID', faults.length > 1 ? `${first} (and ${faults.length - 1} more)` : first, {
    faults,
  })
}

/** A fault with the keys and indexes that lead to it; for an unknown key, `known` lists what may stand there. */
export interface PathFault {
  path: string[]
  message: string
  known?: string[]
}

/** Every fault of a value as a sentence, each once, in the validator's order; empty where the value matches the schema. */
export function findFaults(schema: JsonSchema, value: unknown): PathFault[] {
  const errors = errorsOf(schema, value)
  if (errors === undefined) return [{ path: [], message: 'A field has a name that is not valid Unicode.' }]
  if (errors.length === 0) return []
  const faults = distinct(errors.map(error => fault(schema, value, error)).filter(f => f !== undefined))
  return faults.length > 0 ? faults : [{ path: [], message: 'The input does not match the schema.' }]
}

/** The validator's complaints; undefined where it cannot write down their places, since a key holds half a character. */
function errorsOf(schema: JsonSchema, value: unknown): RawError[] | undefined {
  try {
    return new Validator(schema as never, '2020-12', false).validate(value).errors
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** Text from a command line or a query string as the schema's type; text that does not convert stays text and is then refused by `check`. */
export function parseTyped(schema: JsonSchema | undefined, text: string): unknown {
  const type = schema?.type ?? (schema?.anyOf ? undefined : 'string')
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** A copy of the input in which what is absent has its schema's default; values that do not fit stay as they are. */
export function fillInDefaults(schema: JsonSchema, input: unknown): unknown {
  if (schema.type === 'array' && Array.isArray(input))
    return schema.items ? input.map(item => fillInDefaults(schema.items!, item)) : input
  if (schema.type !== 'object' || typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const out: Record<string, unknown> = { ...input }
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (out[key] === undefined) delete out[key]
    if (!(key in out) && property.default !== undefined) out[key] = structuredClone(property.default)
    else if (key in out) out[key] = fillInDefaults(property, out[key])
  }
  return out
}

interface RawError {
  instanceLocation: string
  keyword: string
  error: string
}

/** A sentence for the innermost errors; undefined for the ones that only repeat them a level up. */
function fault(schema: JsonSchema, input: unknown, error: RawError): PathFault | undefined {
  const path = error.instanceLocation.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodePointer)
  const name = path.join('.')
  if (error.keyword === 'required') {
    const missing = /"([^"]+)"/.exec(error.error)?.[1] ?? 'a field'
    const at = schemaAt(schema, [...path, missing])
    return {
      path,
      message: `${[...path, missing].join('.')} is missing${at?.description ? `: it must be ${at.description}` : ''}.`,
    }
  }
  if (error.keyword === 'false') {
    const known = Object.keys(schemaAt(schema, path.slice(0, -1))?.properties ?? {})
    const meant = findNearest(path.at(-1) ?? '', known)
    return {
      path,
      known,
      message: `${findPlainKey(path.at(-1) ?? '') ? name : 'This field'} is not a known field${meant ? `; did you mean ${meant}?` : `. Known: ${known.join(', ')}.`}`,
    }
  }
  if (['properties', 'additionalProperties', 'items', 'prefixItems'].includes(error.keyword)) return undefined
  const at = schemaAt(schema, path)
  const allowed = at?.enum ? `one of ${at.enum.join(', ')}` : (at?.description ?? at?.type ?? 'valid')
  const was = valueAt(input, path)
  const meant = at?.enum && typeof was === 'string' ? findNearest(was, at.enum.map(String)) : undefined
  return {
    path,
    message: `${name || 'the input'} must be ${allowed}, but was ${path.length === 0 ? describeKind(was) : formatValue(was)}${meant ? `; did you mean ${meant}?` : '.'}`,
  }
}

function schemaAt(schema: JsonSchema | undefined, path: string[]): JsonSchema | undefined {
  let at = schema
  for (const key of path) {
    if (!at) return undefined
    if (at.type === 'array') at = at.items
    else if (at.properties?.[key]) at = at.properties[key]
    else at = typeof at.additionalProperties === 'object' ? at.additionalProperties : undefined
  }
  return at
}

function valueAt(value: unknown, path: string[]): unknown {
  let at = value
  for (const key of path) at = (at as Record<string, unknown> | undefined)?.[key]
  return at
}

function decodePointer(part: string): string {
  return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
}

function distinct(faults: PathFault[]): PathFault[] {
  const seen = new Set<string>()
  return faults.filter(({ message }) => !seen.has(message) && seen.add(message))
}
