import { readFileSync } from 'node:fs'
import type { JsonSchema } from '../base/json-schema.ts'

/** What an operation takes and gives; both are objects. */
export interface Schemas {
  input: JsonSchema
  output: JsonSchema
}

let text: string | undefined
const parsed = new Map<string, Schemas>()

/**
 * Input and output JSON Schema of an operation, as `npm run generate` wrote them. The file has an operation a line, so
 * that a command parses its own line only: all of them would take longer than most commands do.
 */
export function loadSchemas(id: string): Schemas {
  const known = parsed.get(id)
  if (known) return known
  text ??= readFileSync(new URL('./schemas.gen.json', import.meta.url), 'utf8')
  const key = `\n${JSON.stringify(id)}: `
  const start = text.indexOf(key)
  if (start === -1) throw new Error(`operation ${id} has no generated schema: run npm run generate`)
  const line = text.slice(start + key.length, text.indexOf('\n', start + 1))
  const schemas = JSON.parse(line.replace(/,$/, '')) as Schemas
  parsed.set(id, schemas)
  return schemas
}
