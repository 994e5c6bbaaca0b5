import { EngineError, type Fault, type Place } from '../../base/errors.ts'
import { findFaults, type PathFault } from '../../base/json-schema.ts'
import { findNearest } from '../../base/text/nearest.ts'
import { describeKind, findPlainKey } from '../../base/text/words.ts'
import { CONFIG_SCHEMA, type ConfigSchema, findSchema, folderMay, listAllKeys } from './keys.ts'
import { isTree, type Tree } from './merge.ts'
import type { Settings } from './schema.ts'

/** A fault of a configuration, with the path of the key or value that it is about. */
export interface ConfigFault {
  path: string[]
  at?: 'key'
  message: string
}

/** A file with more faults is not a configuration; the first ones tell. */
const MAX_FAULTS = 100

/** Where a layer of settings comes from; decides which keys it may set. */
export type Scope = 'root' | 'folder' | 'override'

/**
 * The faults of one layer, and its settings where it has none: unknown keys with the key that was meant, bad values
 * with what they must be, keys that this scope may not set. A section without a value counts as an empty one.
 */
export function validate(value: unknown, scope: Scope): { settings: Tree; faults: ConfigFault[] } {
  const settings = wellFormed(value ?? {}, CONFIG_SCHEMA)
  if (!isTree(settings)) {
    return {
      settings: {},
      faults: [{ path: [], message: `The configuration must be a map of keys, but was ${describeKind(value)}.` }],
    }
  }
  if (Object.keys(settings).length === 0) return { settings, faults: [] }
  const faults: ConfigFault[] = findFaults(CONFIG_SCHEMA, settings).map(fault =>
    fault.known ? unknownKey(fault) : fault,
  )
  faults.push(...outOfScope(settings, scope), ...badEntries(settings, scope))
  return { settings, faults: atMost(faults) }
}

function atMost(faults: ConfigFault[]): ConfigFault[] {
  if (faults.length <= MAX_FAULTS) return faults
  return [
    ...faults.slice(0, MAX_FAULTS),
    { path: [], message: `${faults.length - MAX_FAULTS} more faults are not listed.` },
  ]
}

/** Values that are each valid but contradict each other; judged over all layers together. */
export function findContradictions(settings: Settings): ConfigFault[] {
  const faults: ConfigFault[] = []
  const { packs, governance } = settings
  const both = packs.enable.find(id => packs.disable.includes(id))
  if (both !== undefined)
    faults.push({ path: ['packs', 'disable'], message: `The pack ${both} is both enabled and disabled.` })
  if (governance.tool_grants.auto_grant_scopes.includes('*'))
    faults.push({
      path: ['governance', 'tool_grants', 'auto_grant_scopes'],
      message:
        'governance.tool_grants.auto_grant_scopes must not contain `*`: it is never granted without an approval.',
    })
  const names = new Set<string>()
  for (const [index, { name }] of (governance.blast_radius.zones ?? []).entries()) {
    if (names.has(name))
      faults.push({
        path: ['governance', 'blast_radius', 'zones', String(index), 'name'],
        message: `The zone name ${name} is defined twice.`,
      })
    names.add(name)
  }
  return faults
}

/** A fault with its place: an unknown key's is the key, any other's the value. */
export function placeFault(
  fault: ConfigFault,
  placeOf: (path: readonly string[], part: 'key' | 'value') => Place,
): Fault {
  return { message: fault.message, place: placeOf(fault.path, fault.at ?? 'value') }
}

/** CONFIG_INVALID for one or more faults: the first is the error's own message and place, and several are all listed. */
export function refuseConfig(faults: readonly Fault[], hint?: string): EngineError {
  const [first] = faults
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  return new EngineError('CONFIG_INVALID', `${first?.message}${more}`, {
    ...(hint !== undefined && { hint }),
    place: first?.place,
    faults: faults.length > 1 ? [...faults] : [],
  })
}

/** The sentence for an unknown key: the sibling that was meant, else the same word elsewhere, else what may stand there. */
function unknownKey({ path, known = [] }: PathFault): ConfigFault {
  const word = path.at(-1) ?? ''
  const meant = findNearest(word, known) ?? elsewhere(word)
  const section = path.slice(0, -1).join('.')
  const where = section === '' ? 'is not a known key' : `is not a known key of ${section}`
  return {
    path,
    at: 'key',
    message: `${findPlainKey(word) ?? 'This key'} ${where}${meant ? `; did you mean ${meant}?` : `. Known: ${known.join(', ')}.`}`,
  }
}

let lastWords: Map<string, string> | undefined

/** The dotted key whose last word is this one, or nearly. */
function elsewhere(word: string): string | undefined {
  lastWords ??= new Map(listAllKeys().map(({ key }) => [key.slice(key.lastIndexOf('.') + 1), key]))
  const meant = lastWords.has(word) ? word : findNearest(word, [...lastWords.keys()])
  return meant === undefined ? undefined : lastWords.get(meant)
}

function outOfScope(settings: Tree, scope: Scope): ConfigFault[] {
  if (scope === 'root') return []
  if (scope === 'override') {
    if (settings.governance === undefined) return []
    const message = "governance cannot be overridden: the repository's configuration file applies."
    return [{ path: ['governance'], at: 'key', message }]
  }
  const faults: ConfigFault[] = []
  const walk = (tree: Tree, path: string[]) => {
    for (const [key, value] of Object.entries(tree)) {
      const here = [...path, key]
      const name = here.join('.')
      if (folderMay(name)) continue
      if (isTree(value)) walk(value, here)
      else if (findSchema(name))
        faults.push({
          path: here,
          at: 'key',
          message: `${name} can only be set in the configuration at the repository's root, not for a directory.`,
        })
    }
  }
  walk(settings, [])
  return faults
}

/** Entries that leave everything out, that mean to bring something back in, or that lead outside. */
function badEntries(settings: Tree, scope: Scope): ConfigFault[] {
  const faults: ConfigFault[] = []
  const { output_dir } = settings
  if (typeof output_dir === 'string' && !isOutputPath(output_dir))
    faults.push({
      path: ['output_dir'],
      message: `output_dir must be a directory below the repository's root, not in .git or .svc, but was ${JSON.stringify(output_dir)}.`,
    })
  for (const key of ['scan_exclude', 'quality_exclude']) {
    const list = settings[key]
    for (const [index, entry] of (Array.isArray(list) ? list : []).entries()) {
      if (typeof entry !== 'string') continue
      const plain = entry.replace(/^(\.?\/)+/, '').replace(/(\/\*\*)?\/*$/, '')
      const must = /(^|\/)\.\.(\/|$)|\0/.test(entry)
        ? 'stay inside the folder'
        : entry.startsWith('!')
          ? 'name what is left out (an entry cannot bring files back in)'
          : scope !== 'folder' && ['', '.', '**'].includes(plain)
            ? 'leave something to scan'
            : undefined
      if (must)
        faults.push({
          path: [key, String(index)],
          message: `${key}.${index} must ${must}, but was ${JSON.stringify(entry)}.`,
        })
    }
  }
  return faults
}

/** Whether svc may write its runs there: a relative path that stays inside and takes nothing of git's or of svc's settings. */
export function isOutputPath(path: string): boolean {
  const parts = path.split(/[\\/]/).filter(part => part !== '' && part !== '.')
  return (
    !/^[\\/]|^[A-Za-z]:|\0/.test(path) && parts.length > 0 && !parts.some(part => /^(?:\.\.|\.git|\.svc)$/i.test(part))
  )
}

/** The value with empty sections as {}, and with text and keys that are no valid Unicode made so. */
function wellFormed(value: unknown, schema: ConfigSchema | undefined): unknown {
  if (value === null && schema?.type === 'object') return {}
  if (typeof value === 'string') return Buffer.from(value).toString()
  if (Array.isArray(value)) return value.map(item => wellFormed(item, schema?.items))
  if (!isTree(value)) return value
  const map = schema?.additionalProperties
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      Buffer.from(key).toString(),
      wellFormed(inner, schema?.properties?.[key] ?? (typeof map === 'object' ? map : undefined)),
    ]),
  )
}
