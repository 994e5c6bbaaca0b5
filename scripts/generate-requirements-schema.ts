// Writes the JSON Schemas of requirements.yaml and of files of work items: the ones that are read by at run time, and those for editors.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WORK_ITEMS } from '../engine/delivery/reconcile/schema.ts'
import { REQUIREMENTS } from '../engine/delivery/requirements/schema.ts'

const FILES = [
  { type: REQUIREMENTS, room: 'requirements', name: 'requirements', title: 'Requirements of svc' },
  { type: WORK_ITEMS, room: 'reconcile', name: 'work-items', title: 'Work items of svc' },
] as const

export function generateRequirementsSchemas(root: string): void {
  for (const { type, room, name, title } of FILES) {
    const { $schema, ...schema } = type.toJsonSchema({ fallback: context => context.base }) as Record<string, unknown>
    const own = join(root, 'engine/delivery', room, 'schema.gen.json')
    writeFileSync(own, `${JSON.stringify(schema, null, 1)}\n`)
    const editors = join(root, 'docs/reference', `${name}.schema.json`)
    writeFileSync(editors, `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`)
  }
}
