import { readFileSync } from 'node:fs'
import type { JsonSchema } from '../base/json-schema.ts'

/** What an operation takes and gives; both are objects. */
export interface Schemas {
  input: JsonSchema
  output: JsonSchema
}

const LINE_FEED = 0x0a

/** The whole file: as a string it would be made of half a megabyte for the one line that a command needs. */
let bytes: Buffer | undefined
const parsed = new Map<string, Schemas>()

/**
 * Input and output JSON Schema of an operation, as `npm run generate` wrote them. The file has an operation a line, so
 * that a command parses its own line only: all of them would take longer than most commands do.
 */
export function loadSchemas(id: string): Schemas {
  const known = parsed.get(id)
  if (known) return known
  bytes ??= readFileSync(new URL('./schemas.gen.json', import.meta.url))
  const key = `\n${JSON.stringify(id)}: `
  const start = bytes.indexOf(key)
  if (start === -1) throw new Error(`operation ${id} has no generated schema: run npm run generate`)
  const line = bytes.toString('utf8', start + Buffer.byteLength(key), bytes.indexOf(LINE_FEED, start + 1))
  const schemas = JSON.parse(line.replace(/,$/, '')) as Schemas
  parsed.set(id, schemas)
  return schemas
}
