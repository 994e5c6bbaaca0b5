import type { EngineError, Fault } from '../../base/errors.ts'
import { findFaults, type JsonSchema } from '../../base/json-schema.ts'
import { isObject } from '../../base/text/json-object.ts'
import { findNearest } from '../../base/text/nearest.ts'
import { formatValue } from '../../base/text/words.ts'
import { parseYaml } from '../../sources/config/parse.ts'
import { refuseConfig } from '../../sources/config/validate.ts'
import { findGlobFault } from './glob-fault.ts'
import type { ArchitectureRules } from './rules.ts'
import { RULES_SCHEMA } from './rules-schema.ts'

/** Fields that may be one glob or several. */
const LISTS = new Set([
  'include',
  'exclude',
  'paths',
  'from',
  'to',
  'packages',
  'except',
  'entries',
  'folder',
  'folders',
  'entry',
])

/** The rules in the bytes of architecture.yaml; CONFIG_INVALID with every fault and its line. `file` is what messages call it. */
export function parseRules(bytes: Uint8Array, file: string): ArchitectureRules {
  const { value, faults, placeOf } = parseYaml(bytes, file)
  if (faults.length > 0) throw refuse(faults, file)
  const rules = listStrings(withSections(value ?? {}))
  const found: Fault[] = findFaults(RULES_SCHEMA, withSections(value ?? {})).map(({ message, path, known }) => ({
    message,
    place: placeOf(path, known ? 'key' : 'value'),
  }))
  if (found.length === 0)
    for (const { message, path } of findDeeperFaults(rules as ArchitectureRules))
      found.push({ message, place: placeOf(path, 'value') })
  if (found.length > 0) throw refuse(found, file)
  return rules as ArchitectureRules
}

function refuse(faults: readonly Fault[], file: string): EngineError {
  return refuseConfig(faults, `Correct the named line of ${file}; docs/architecture-rules.md describes every key.`)
}

/** A section without a value is one without settings. */
function withSections(value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const schema = (RULES_SCHEMA.properties as Record<string, JsonSchema>)[key]
      return [key, inner === null && schema?.type === 'object' ? {} : inner]
    }),
  )
}

function listStrings(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(listStrings)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      LISTS.has(key) && typeof inner === 'string' ? [inner] : listStrings(inner),
    ]),
  )
}

interface DeeperFault {
  path: string[]
  message: string
}

/** What a JSON Schema cannot see: globs that cannot be, names that are none, rules that say nothing. */
function findDeeperFaults(rules: ArchitectureRules): DeeperFault[] {
  return [
    ...findGlobFaults(rules, []),
    ...findNameFaults(rules),
    ...(['forbidden', 'allowed'] as const).flatMap(key =>
      (rules[key] ?? []).flatMap(({ name, to, packages }, index) =>
        to || packages
          ? []
          : [{ path: [key, String(index)], message: `${name} needs to (globs of files), packages, or both.` }],
      ),
    ),
    ...(rules.limits ?? []).flatMap(({ fan_in, fan_out }, index) =>
      fan_in === undefined && fan_out === undefined
        ? [{ path: ['limits', String(index)], message: `limits.${index} needs fan_in, fan_out, or both.` }]
        : [],
    ),
  ]
}

function findGlobFaults(value: unknown, path: string[]): DeeperFault[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => findGlobFaults(each, [...path, String(index)]))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = [...path, key]
    if (!LISTS.has(key) || !Array.isArray(inner)) return findGlobFaults(inner, here)
    return inner.flatMap((glob: string, index) => {
      const fault = findGlobFault(glob)
      const at = [...here, String(index)]
      return fault === undefined ? [] : [{ path: at, message: `${here.join('.')}: ${formatValue(glob)} ${fault}.` }]
    })
  })
}

/** Built-in rules, of whose names no other rule may be. */
const OWN_NAMES = ['layers', 'cycles', 'orphans', 'public-api', 'limits', 'stable-dependencies', 'unresolved']

function findNameFaults({ layers = [], forbidden = [], allowed = [], limits = [] }: ArchitectureRules): DeeperFault[] {
  const faults: DeeperFault[] = []
  const seen = new Set(OWN_NAMES)
  for (const [key, rules] of Object.entries({ forbidden, allowed, limits }))
    for (const [index, { name }] of rules.entries()) {
      if (name === undefined) continue
      if (seen.has(name))
        faults.push({
          path: [key, String(index), 'name'],
          message: `The name ${name} is ${OWN_NAMES.includes(name) ? 'that of a built-in rule' : 'used twice'}.`,
        })
      seen.add(name)
    }
  const names = layers.map(({ name }) => name)
  for (const [index, { name, imports = [] }] of layers.entries()) {
    if (names.indexOf(name) !== index)
      faults.push({ path: ['layers', String(index), 'name'], message: `The layer ${name} is defined twice.` })
    for (const [at, other] of imports.entries()) {
      if (names.includes(other)) continue
      const meant = findNearest(other, names)
      faults.push({
        path: ['layers', String(index), 'imports', String(at)],
        message: `There is no layer ${formatValue(other)}${meant ? `; did you mean ${meant}?` : `. Layers: ${names.join(', ')}.`}`,
      })
    }
  }
  return faults
}
