import { isDeepStrictEqual } from 'node:util'
import { EngineError } from '../engine/base/errors.ts'
import { type JsonSchema, parseTyped } from '../engine/base/json-schema.ts'

/** The places of a request that carry input. */
export interface RequestParts {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string | string[]>>
  body: unknown
}

/**
 * The operation's input out of a request: path parameters, query and JSON body in one object. Text becomes the schema's
 * type; an array is given by repeating its name or by commas. INPUT_INVALID where a field is given twice with different values.
 */
export function collectInput(schema: JsonSchema, { params, query, body }: RequestParts): Record<string, unknown> {
  // Without a prototype, no name that a client sends means anything special.
  const input: Record<string, unknown> = Object.create(null)
  const give = (name: string, value: unknown) => {
    if (name in input && !isDeepStrictEqual(input[name], value)) {
      throw new EngineError('INPUT_INVALID', `${name} is passed twice with different values.`)
    }
    input[name] = value
  }
  if (body !== undefined && body !== null) {
    if (typeof body !== 'object' || Array.isArray(body)) {
      throw new EngineError(
        'INPUT_INVALID',
        `The body must be a JSON object, but was ${Array.isArray(body) ? 'an array' : `a ${typeof body}`}.`,
      )
    }
    for (const [name, value] of Object.entries(body)) give(name, value)
  }
  for (const [name, text] of Object.entries(params)) give(name, parseTyped(schema.properties?.[name], text))
  for (const [written, given] of Object.entries(query)) {
    const name = fieldOf(schema, written)
    const property = schema.properties?.[name]
    const texts = Array.isArray(given) ? given : [given]
    if (property?.type === 'array') {
      const items = texts.flatMap(text => text.split(',')).filter(text => text !== '')
      give(
        name,
        items.map(text => parseTyped(property.items, text)),
      )
    } else for (const text of texts) give(name, parseTyped(property, text))
  }
  return input
}

/** Query names may be written with hyphens, as options of the command line are. */
function fieldOf(schema: JsonSchema, written: string): string {
  const field = written.replaceAll('-', '_')
  return Object.hasOwn(schema.properties ?? {}, field) ? field : written
}
