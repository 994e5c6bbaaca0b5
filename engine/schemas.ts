import { readFileSync } from 'node:fs'
import type { JsonSchema } from './input.ts'

/** What an operation takes and gives; both are objects. */
export interface Schemas {
  input: JsonSchema
  output: JsonSchema
}

let all: Record<string, Schemas> | undefined

/** Input and output JSON Schema of an operation, as `npm run generate` wrote them; read on first use. */
export function schemasOf(id: string): Schemas {
  all ??= JSON.parse(readFileSync(new URL('./schemas.gen.json', import.meta.url), 'utf8')) as Record<string, Schemas>
  const found = all[id]
  if (!found) throw new Error(`operation ${id} has no generated schema: run npm run generate`)
  return found
}
