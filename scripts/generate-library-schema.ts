// Writes the JSON Schemas of library files: the one that is read by at run time, and the one for editors.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIBRARY } from '../engine/sources/packs/libraries/schema.ts'

export function generateLibrarySchema(root: string): void {
  const { $schema, ...schema } = LIBRARY.toJsonSchema({ fallback: context => context.base }) as Record<string, unknown>
  writeFileSync(join(root, 'engine/sources/packs/libraries/schema.gen.json'), `${JSON.stringify(schema, null, 1)}\n`)
  const editors = { $schema, title: 'Library of svc', ...schema }
  writeFileSync(join(root, 'docs/reference/library.schema.json'), `${JSON.stringify(editors, null, 2)}\n`)
}
