// Writes the JSON Schema of policies.yaml for editors.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export function generatePolicySchema(root: string): void {
  const policies = JSON.parse(
    readFileSync(join(root, 'engine/quality/policies/policies.schema.json'), 'utf8'),
  ) as object
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Policies of svc',
    ...policies,
  }
  writeFileSync(join(root, 'docs/reference/policies.schema.json'), `${JSON.stringify(schema, null, 2)}\n`)
}
