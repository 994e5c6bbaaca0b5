import { formatCount } from '../../../base/text/words.ts'

/**
 * Keys of a library by which a finding can vanish. What checks a value through another one (`views_for`) is a validator too. A source, and what is
 * moved to a place, adds to what is known of a value, but a value keeps a bounded number of them, so that many made-up ones can leave no
 * room for a real one.
 */
export const SILENCING = [
  'sources',
  'handlers',
  'sanitizers',
  'validators',
  'non_propagators',
  'no_return',
  'constants',
  'result_types',
  'result_texts',
  'types',
  'settings',
  'setting_writes',
  'propagators that validate or move',
] as const

/** The entries under one of these keys, a string each; of a list of calls each call. */
export function listSilencing(library: object, key: (typeof SILENCING)[number]): string[] {
  const tree = library as Record<string, unknown>
  if (key === 'propagators that validate or move')
    return listOf(tree.propagators)
      .filter(
        entry => typeof entry === 'object' && entry !== null && ['views_for', 'from', 'to'].some(each => each in entry),
      )
      .map(entry => JSON.stringify(entry))
  const value = tree[key]
  if (Array.isArray(value)) return value.map(entry => (typeof entry === 'string' ? entry : JSON.stringify(entry)))
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [JSON.stringify(value)]
  return Object.entries(value).flatMap(([name, inner]) =>
    Array.isArray(inner) ? inner.map(one => `${name}: ${String(one)}`) : [`${name}: ${String(inner)}`],
  )
}

/** What libraries of a repository's own can silence, as a scan says it; empty where there is no library. */
export function describeLibraries(libraries: readonly object[]): string {
  if (libraries.length === 0) return ''
  const counts = SILENCING.map(key => [key, libraries.flatMap(library => listSilencing(library, key)).length] as const)
  const silencing = counts.filter(([, count]) => count > 0).map(([key, count]) => `${key} ${count}`)
  const what = silencing.length > 0 ? `; entries that can silence findings: ${silencing.join(', ')}` : ''
  return `${formatCount(libraries.length, 'library', 'libraries')} of the repository's own${what}`
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
