import { isDeepStrictEqual } from 'node:util'
import { isSame, type MergeResult } from '../../../engine/delivery/requirements/merge.ts'
import type { RequirementRecord } from '../../../engine/delivery/requirements/model.ts'

const LISTS = ['parent', 'acceptance', 'files', 'tests', 'controls'] as const
const VALUES = ['title', 'description', 'status', 'level', 'confirmed'] as const

/** The edits of either side that are neither in the result nor named by a conflict: none, whatever the three versions are. */
export function listLostEdits(
  base: readonly RequirementRecord[],
  here: readonly RequirementRecord[],
  there: readonly RequirementRecord[],
  { requirements, conflicts }: Pick<MergeResult, 'requirements' | 'conflicts'>,
): string[] {
  const lost: string[] = []
  const [was, now] = [base, requirements].map(list => new Map(list.map(each => [each.id, each])))
  for (const [side, records] of [
    ['here', here],
    ['there', there],
  ] as const) {
    const own = new Map(records.map(each => [each.id, each]))
    const says = (id: string, field: string, value: unknown) =>
      conflicts.some(each => each.id === id && each.field === field && isDeepStrictEqual(each[side], value))
    for (const id of new Set([...was!.keys(), ...own.keys()])) {
      const [before, edited, merged] = [was!.get(id), own.get(id), now!.get(id)]
      if (!edited) {
        const isNamed = conflicts.some(each => each.id === id && each.kind === `deleted_${side}`)
        if (before && merged && !isNamed) lost.push(`${side} deleted ${id}`)
        continue
      }
      if (!merged) {
        if (!before || !isSame(before, edited)) lost.push(`${side} changed ${id}, which is gone`)
        continue
      }
      for (const field of VALUES)
        if (!isDeepStrictEqual(before?.[field], edited[field]) && !isDeepStrictEqual(merged[field], edited[field]))
          if (!says(id, field, edited[field])) lost.push(`${side} changed ${field} of ${id}`)
      for (const field of ['provider', 'key', 'url', 'revision'] as const)
        if (before?.source?.[field] !== edited.source?.[field] && merged.source?.[field] !== edited.source?.[field])
          if (!says(id, `source.${field}`, edited.source?.[field]) && !says(id, 'source', edited.source))
            lost.push(`${side} changed source.${field} of ${id}`)
      for (const field of LISTS) {
        const had = before?.[field] ?? []
        for (const item of edited[field])
          if (!had.includes(item) && !merged[field].includes(item))
            lost.push(`${side} added ${item} to ${field} of ${id}`)
        for (const item of had)
          if (!edited[field].includes(item) && merged[field].includes(item))
            lost.push(`${side} removed ${item} from ${field} of ${id}`)
      }
    }
  }
  return lost
}
