import type { JsonSchema } from '../../base/json-schema.ts'
import schema from './schema.gen.json' with { type: 'json' }

export type ConfigSchema = JsonSchema

/** The JSON Schema of a configuration file, generated from schema.ts. */
export const CONFIG_SCHEMA = schema as ConfigSchema

/**
 * The keys (and all below them) that a configuration file in a sub-folder may set. Everything else holds for the whole
 * repository, so that nobody who may write in one folder can loosen governance or starve a scan.
 */
export const FOLDER_KEYS: readonly string[] = [
  'gate.fail_on',
  'packs',
  'scan_exclude',
  'quality_exclude',
  'severity_rescoring_enabled',
]

/** Whether a sub-folder's file may set a dotted key. */
export function folderMay(key: string): boolean {
  return FOLDER_KEYS.some(allowed => key === allowed || key.startsWith(`${allowed}.`))
}

/** The schema of a dotted key, or undefined for an unknown one. Names in maps are any. */
export function findSchema(key: string): ConfigSchema | undefined {
  let at: ConfigSchema | undefined = CONFIG_SCHEMA
  for (const part of key.split('.')) {
    const map: boolean | ConfigSchema | undefined = at?.additionalProperties
    const known: ConfigSchema | undefined =
      at?.properties && Object.hasOwn(at.properties, part) ? at.properties[part] : undefined
    at = known ?? (typeof map === 'object' ? map : undefined)
  }
  return at
}

/** The value with every default of the schema filled in, inside sections, maps and list items too; the argument is not changed. */
export function fillDefaults(schema: ConfigSchema, value: unknown): unknown {
  if (Array.isArray(value)) return schema.items ? value.map(item => fillDefaults(schema.items!, item)) : value
  if (typeof value !== 'object' || value === null) return value
  const out = new Map<string, unknown>()
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(value, key) && property.default !== undefined)
      out.set(key, fillDefaults(property, structuredClone(property.default)))
  }
  for (const [key, inner] of Object.entries(value)) {
    const map = schema.additionalProperties
    const below = schema.properties?.[key] ?? (typeof map === 'object' ? map : undefined)
    out.set(key, below ? fillDefaults(below, inner) : inner)
  }
  return Object.fromEntries([...out].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Every dotted key with its schema, sections and leaves, in the schema's order; `<name>` stands for the names in maps. */
export function listAllKeys(schema = CONFIG_SCHEMA): { key: string; schema: ConfigSchema; leaf: boolean }[] {
  const rows: { key: string; schema: ConfigSchema; leaf: boolean }[] = []
  const walk = (at: ConfigSchema, prefix: string) => {
    for (const [name, child] of Object.entries(at.properties ?? {})) visit(`${prefix}${name}`, child)
    if (typeof at.additionalProperties === 'object') visit(`${prefix}<name>`, at.additionalProperties)
  }
  const visit = (key: string, child: ConfigSchema) => {
    const items = child.type === 'array' && child.items?.properties ? child.items : undefined
    rows.push({ key, schema: child, leaf: child.type !== 'object' || child.properties === undefined })
    if (items) walk(items, `${key}[].`)
    else walk(child, `${key}.`)
  }
  walk(schema, '')
  return rows
}
