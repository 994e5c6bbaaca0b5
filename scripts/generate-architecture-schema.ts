// Writes the JSON Schema of architecture.yaml for editors.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RULES_SCHEMA } from '../engine/quality/architecture/rules-schema.ts'

export function generateArchitectureSchema(root: string): void {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Architecture rules of svc',
    ...RULES_SCHEMA,
  }
  writeFileSync(join(root, 'docs/reference/architecture.schema.json'), `${JSON.stringify(schema, null, 2)}\n`)
}
