import { isTree, type Tree } from './document.ts'
import { resolvePointer, splitReference } from './pointer.ts'
import { isSensitive, type Weakness } from './weakness.ts'

/** Keywords that bound a text: by length, by form, or by listing what it may be. */
export const BOUNDS = ['maxLength', 'enum', 'const', 'pattern', 'format'] as const

/** A schema and the keys that lead to it. */
export interface Schema {
  path: string[]
  schema: Tree
}

/** Schemas below a schema, under keys of their own or in lists. */
const NESTED = [
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedProperties',
]
const NESTED_LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']
const NESTED_MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']

/**
 * Every schema that a root reaches, itself included: nested ones, and those that references within the document lead to.
 * Each is visited once, where it is written.
 */
export function collectReached(data: Tree, roots: readonly Schema[]): Schema[] {
  const found = new Map<string, Schema>()
  const queue = [...roots]
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { path, schema } = next
    const key = JSON.stringify(path)
    if (found.has(key)) continue
    found.set(key, next)
    queue.push(...below(next))
    const target = splitReference(schema.$ref)
    const referred = target && resolvePointer(data, String(schema.$ref))
    if (target && isTree(referred)) queue.push({ path: target, schema: referred })
  }
  return [...found.values()]
}

function below({ path, schema }: Schema): Schema[] {
  const found: Schema[] = []
  const add = (value: unknown, ...keys: string[]) => {
    if (isTree(value)) found.push({ path: [...path, ...keys], schema: value })
  }
  for (const key of NESTED) add(schema[key], key)
  for (const key of NESTED_LISTS)
    for (const [index, item] of (Array.isArray(schema[key]) ? (schema[key] as unknown[]) : []).entries())
      add(item, key, String(index))
  for (const key of NESTED_MAPS)
    for (const [name, item] of Object.entries(isTree(schema[key]) ? (schema[key] as Tree) : {})) add(item, key, name)
  return found
}

/** Whether a schema accepts strings of any length. */
export function isUnboundedString(schema: Tree): boolean {
  const types = [schema.type].flat()
  return types.includes('string') && !BOUNDS.some(bound => schema[bound] !== undefined)
}

/** The texts without bounds among these schemas. */
export function findUnboundedStrings(schemas: readonly Schema[], what: string): Weakness[] {
  return schemas
    .filter(({ schema }) => isUnboundedString(schema))
    .map(({ path }) => ({
      kind: 'unbounded-string',
      path: [...path, 'type'],
      part: 'key',
      what: `${what} without a length limit`,
    }))
}

/** The fields of these schemas whose names say that they are sensitive. Those that are only written are none. */
export function findSensitiveFields(schemas: readonly Schema[], what: string): Weakness[] {
  return schemas.flatMap(({ path, schema }) =>
    Object.entries(isTree(schema.properties) ? schema.properties : {})
      .filter(([name, field]) => isSensitive(name) && !(isTree(field) && field.writeOnly === true))
      .map(
        ([name]): Weakness => ({
          kind: 'sensitive-field',
          path: [...path, 'properties', name],
          part: 'key',
          what: `the field ${name} in ${what}`,
        }),
      ),
  )
}

/** Names of the shared schemas (`components/schemas`, `definitions`) among these. */
export function findSharedNames(schemas: readonly Schema[]): string[] {
  const names = schemas.flatMap(({ path }) => {
    if (path[0] === 'components' && path[1] === 'schemas') return path[2] ?? []
    return path[0] === 'definitions' ? (path[1] ?? []) : []
  })
  return [...new Set(names)].sort()
}
