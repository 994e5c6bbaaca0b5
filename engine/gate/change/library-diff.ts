import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../base/text/json-object.ts'
import { formatCount } from '../../base/text/words.ts'
import { parseYaml } from '../../sources/config/parse.ts'
import { listSilencing, SILENCING } from '../../sources/packs/libraries/silencing.ts'
import type { Weakening } from './policy-rules.ts'

type Content = Uint8Array | undefined
type Tree = Record<string, unknown>

/** Keys whose entries make findings: none of them may be taken away. */
const REPORTING = ['sources', 'handlers', 'sinks', 'propagators'] as const
/** Keys that change no finding. */
const WORDS = new Set(['library', 'references', 'match', 'clean'])

/**
 * What a change of a library file takes from the findings: entries that make values safe and were not there, entries that report and are
 * gone. A key that is unknown here counts as weaker where it changes.
 */
export async function findLibraryWeakenings(path: string, before: Content, after: Content): Promise<Weakening[]> {
  const made = (what: string): Weakening => ({ rule_id: 'gate-config-weakened', file: path, line: 1, what })
  const old = await readTree(before, path)
  if (after === undefined) return before === undefined ? [] : [made(`${path} deleted`)]
  const now = await readTree(after, path)
  const found: string[] = []
  if (before !== undefined && !isDeepStrictEqual(old.languages, now.languages)) found.push('languages changed')
  const known = new Map(SILENCING.map(key => [key, new Set(listSilencing(old, key))]))
  for (const key of SILENCING) {
    const added = listSilencing(now, key).filter(entry => !known.get(key)!.has(entry))
    if (added.length > 0)
      found.push(`${formatCount(added.length, 'entry', 'entries')} added to ${key}: ${firsts(added)}`)
  }
  for (const key of REPORTING) {
    const kept = new Set(listReporting(now, key))
    const gone = listReporting(old, key).filter(entry => !kept.has(entry))
    if (gone.length > 0)
      found.push(`${formatCount(gone.length, 'entry', 'entries')} of ${key} removed: ${firsts(gone)}`)
  }
  const seen = new Set<string>([...SILENCING, ...REPORTING, ...WORDS, 'languages'])
  for (const key of Object.keys({ ...old, ...now }))
    if (!seen.has(key) && !isDeepStrictEqual(old[key], now[key])) found.push(`${key} changed`)
  return found.map(made)
}

async function readTree(bytes: Content, path: string): Promise<Tree> {
  if (bytes === undefined) return {}
  const { value, faults } = await parseYaml(bytes, path)
  return faults.length === 0 && isObject(value) ? value : {}
}

/** The entries under a key by which findings are made: not a propagator that is a validator. */
function listReporting(library: Tree, key: (typeof REPORTING)[number]): string[] {
  const value = library[key]
  const entries = Array.isArray(value) ? value : []
  return entries.filter(entry => !(isObject(entry) && 'views_for' in entry)).map(entry => JSON.stringify(entry))
}

function firsts(entries: readonly string[]): string {
  const shown = entries.slice(0, 3).map(entry => (entry.length > 100 ? `${entry.slice(0, 100)}…` : entry))
  return `${shown.join(', ')}${entries.length > 3 ? ` and ${entries.length - 3} more` : ''}`
}
