import { makeRecord, type RequirementRecord, type RequirementSource } from './model.ts'

/** Fields of one value each; both sides may have changed one to different values. */
const VALUES = ['title', 'description', 'status', 'level', 'confirmed'] as const
/** The values within `source`, merged each by itself: a new revision there must not lose a corrected address here. */
const SOURCE_VALUES = ['provider', 'key', 'url', 'revision'] as const
/** Fields that are lists: what either side added is in the result, what either side removed is not. */
const LISTS = ['parent', 'acceptance', 'files', 'tests', 'controls'] as const

type ValueField = (typeof VALUES)[number] | 'source' | `source.${(typeof SOURCE_VALUES)[number]}`
type Choose = (field: ValueField, was: unknown, own: unknown, other: unknown) => unknown

/** Two edits of which only one can stand; the result has the one of here, and this has both. */
export interface MergeConflict {
  id: string
  /**
   * `field`: both sides changed the field to different values, and that of here stays. `deleted_here`, `deleted_there`: one side deleted the
   * requirement, the other changed it, and the changed one stays.
   */
  kind: 'field' | 'deleted_here' | 'deleted_there'
  field?: ValueField
  /** What it was before, here and there; absent where there was nothing. */
  base?: unknown
  here?: unknown
  there?: unknown
}

export interface MergeResult {
  requirements: RequirementRecord[]
  conflicts: MergeConflict[]
  added: string[]
  changed: string[]
  removed: string[]
}

/**
 * Merges two versions of requirements that come from one base: `here` is what the repository has, `there` what the provider has, `base` what was
 * pulled the last time. No edit of either side is lost: it is in the result, or it is named in a conflict with both values. Requirements
 * keep the order of `here`; those that only `there` has follow in its order. `added`, `changed` and `removed` compare the result with `here`.
 * Of several requirements with one id the first counts; lists have each item once.
 */
export function mergeRequirements(
  base: readonly RequirementRecord[],
  here: readonly RequirementRecord[],
  there: readonly RequirementRecord[],
): MergeResult {
  const [before, ours, theirs] = [index(base), index(here), index(there)]
  const result: MergeResult = { requirements: [], conflicts: [], added: [], changed: [], removed: [] }
  for (const id of new Set([...ours.keys(), ...theirs.keys()])) {
    const own = ours.get(id)
    const merged = mergeOne(before.get(id), own, theirs.get(id), result.conflicts)
    if (merged) result.requirements.push(merged)
    if (!merged) {
      if (own) result.removed.push(id)
    } else if (!own) result.added.push(id)
    else if (!isSame(own, merged)) result.changed.push(id)
  }
  return result
}

function mergeOne(
  base: RequirementRecord | undefined,
  here: RequirementRecord | undefined,
  there: RequirementRecord | undefined,
  conflicts: MergeConflict[],
): RequirementRecord | undefined {
  if (here && there) return mergeFields(base, here, there, conflicts)
  const left = here ?? there!
  // Only one side has it: it is new there, or the other side deleted it.
  if (!base) return left
  if (isSame(base, left)) return undefined
  conflicts.push({
    id: left.id,
    kind: here ? 'deleted_there' : 'deleted_here',
    base,
    ...(here ? { here } : { there: left }),
  })
  return left
}

function mergeFields(
  base: RequirementRecord | undefined,
  here: RequirementRecord,
  there: RequirementRecord,
  conflicts: MergeConflict[],
): RequirementRecord {
  const { id } = here
  const choose: Choose = (field, was, own, other) => {
    const [before, mine, yours] = [was, own, other].map(writeCanonical)
    if (mine === yours || yours === before) return own
    if (mine === before) return other
    conflicts.push({
      ...{ id, kind: 'field', field },
      ...(was !== undefined && { base: was }),
      ...(own !== undefined && { here: own }),
      ...(other !== undefined && { there: other }),
    })
    return own
  }
  const merged: Record<string, unknown> = { id }
  for (const field of VALUES) merged[field] = choose(field, base?.[field], here[field], there[field])
  merged.source = mergeSource(base?.source, here.source, there.source, choose)
  for (const field of LISTS) merged[field] = mergeList(base?.[field] ?? [], here[field], there[field])
  return makeRecord(merged as unknown as RequirementRecord)
}

/** Where one side removed the source and the other changed it, the changed one stays, whole. */
function mergeSource(
  base: RequirementSource | undefined,
  here: RequirementSource | undefined,
  there: RequirementSource | undefined,
  choose: Choose,
): unknown {
  if (!here || !there) {
    const chosen = choose('source', base, here, there)
    return base && !chosen && writeCanonical(there ?? base) !== writeCanonical(base) ? there : chosen
  }
  return Object.fromEntries(
    SOURCE_VALUES.map(field => [field, choose(`source.${field}`, base?.[field], here[field], there[field])]).filter(
      ([, value]) => value !== undefined,
    ),
  )
}

function mergeList(base: readonly string[], here: readonly string[], there: readonly string[]): string[] {
  // An order that one side alone changed stays.
  if (writeCanonical(here) === writeCanonical(base)) return [...there]
  if (writeCanonical(there) === writeCanonical(base)) return [...here]
  const [before, other] = [new Set(base), new Set(there)]
  const kept = here.filter(item => other.has(item) || !before.has(item))
  return [...new Set([...kept, ...there.filter(item => !before.has(item))])]
}

function index(records: readonly RequirementRecord[]): Map<string, RequirementRecord> {
  const found = new Map<string, RequirementRecord>()
  for (const record of records) if (!found.has(record.id)) found.set(record.id, record)
  return found
}

/** Whether two records say the same. */
export function isSame(a: RequirementRecord, b: RequirementRecord): boolean {
  return writeCanonical(makeRecord(a)) === writeCanonical(makeRecord(b))
}

function writeCanonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}
