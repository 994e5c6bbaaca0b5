import { type ConfirmedDigest, type ConfirmedPlace, UNREADABLE } from './confirmed.ts'

export const DRIFT_TYPES = ['behavioral', 'structural', 'cross_file', 'acceptance_criteria'] as const
export type DriftType = (typeof DRIFT_TYPES)[number]

/** One difference between what was confirmed and what is. */
export interface Difference {
  type: DriftType
  /** A body changed: whether it still does what is required, the syntax tree does not say. */
  isCertain: boolean
  /** Where it is now: a file that is there, or undefined for one that is gone. */
  file?: string
  symbol?: string
  message: string
}

/**
 * Compares what was confirmed with what is. Structural: a signature, a route or a schema changed, or code or a test is gone. Cross-file: the
 * interface of a file that the code imports changed, or code moved to another file. Acceptance criteria: the requirement's own words changed.
 * Behavioral, and not certain: only bodies changed.
 */
export function compareDigests(confirmed: ConfirmedDigest, now: ConfirmedDigest): Difference[] {
  const found: Difference[] = []
  if (confirmed.text !== now.text)
    found.push({
      ...{ type: 'acceptance_criteria', isCertain: true },
      message: 'The words of the requirement changed since it was confirmed.',
    })
  const current = new Map(now.places.map(place => [makeKey(place), place]))
  const before = new Map(confirmed.places.map(place => [makeKey(place), place]))
  for (const [key, place] of before) {
    const other = current.get(key)
    const difference = other ? compareOne(place, other) : describeGone(place, now.places)
    if (difference) found.push(difference)
  }
  for (const [key, place] of current)
    if (!before.has(key) && place.kind === 'code' && !isMove(place, confirmed.places))
      found.push({
        ...{ type: 'cross_file', isCertain: true, file: place.path, ...named(place) },
        message: `${nameOf(place)} was linked since the requirement was confirmed.`,
      })
  return found
}

function compareOne(before: ConfirmedPlace, now: ConfirmedPlace): Difference | undefined {
  const at = { file: now.path, ...named(now) }
  if (before.kind === 'test') return undefined
  if (before.oid !== undefined && before.oid === now.oid) return undefined
  if (before.kind === 'import' && now.structure === UNREADABLE) {
    const message = `The file ${now.path}, which the code imports, is gone or cannot be read.`
    return { type: 'cross_file', isCertain: true, message }
  }
  if (before.structure !== now.structure)
    return before.kind === 'import'
      ? {
          type: 'cross_file',
          isCertain: true,
          ...at,
          message: `The interface of ${now.path}, which the code imports, changed.`,
        }
      : {
          type: 'structural',
          isCertain: true,
          ...at,
          message: `The signature, routes or fields of ${nameOf(now)} changed.`,
        }
  if (before.tree === now.tree) return undefined
  return { type: 'behavioral', isCertain: false, ...at, message: `The body of ${nameOf(now)} changed.` }
}

function describeGone(place: ConfirmedPlace, now: readonly ConfirmedPlace[]): Difference | undefined {
  // An import that is not there any more changed the body, which says so itself.
  if (place.kind === 'import') return undefined
  const moved = place.kind === 'code' ? now.find(other => isSameCode(place, other)) : undefined
  if (moved)
    return {
      ...{ type: 'cross_file', isCertain: true, file: moved.path, ...named(moved) },
      message: `${nameOf(place)} moved to ${nameOf(moved)}.`,
    }
  const isFileThere = now.some(other => other.path === place.path)
  return {
    ...{ type: 'structural', isCertain: true, ...(isFileThere && { file: place.path }) },
    message: `${place.kind === 'test' ? 'The test' : 'The code'} ${nameOf(place)} is gone, or is not linked any more.`,
  }
}

function isMove(place: ConfirmedPlace, before: readonly ConfirmedPlace[]): boolean {
  return before.some(other => isSameCode(other, place))
}

function isSameCode(a: ConfirmedPlace, b: ConfirmedPlace): boolean {
  return a.kind === 'code' && b.kind === 'code' && a.path !== b.path && a.tree !== undefined && a.tree === b.tree
}

function makeKey({ kind, path, symbol }: ConfirmedPlace): string {
  return `${kind}\0${path}\0${symbol ?? ''}`
}

function named({ symbol }: ConfirmedPlace): { symbol?: string } {
  return symbol === undefined ? {} : { symbol }
}

function nameOf({ path, symbol }: ConfirmedPlace): string {
  return symbol === undefined ? path : `${symbol} in ${path}`
}
