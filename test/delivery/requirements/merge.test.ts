import { describe, expect, it } from 'vitest'
import { isSame, mergeRequirements } from '../../../engine/delivery/requirements/merge.ts'
import { makeRecord } from '../../../engine/delivery/requirements/model.ts'
import fc from '../../made/property.ts'
import { listLostEdits } from './merge-laws.ts'
import { apply, change } from './record.ts'

const base = makeRecord({ id: 'REQ-1', title: 'Log in', files: ['src/a.ts'], status: 'draft' })
const sides = fc.tuple(
  fc.array(change, { maxLength: 12 }),
  fc.array(change, { maxLength: 8 }),
  fc.array(change, { maxLength: 8 }),
)

describe('merging requirements', () => {
  it('keeps edits of both sides to different fields', () => {
    const here = { ...base, files: ['src/a.ts', 'src/b.ts'] }
    const there = { ...base, title: 'Sign in', files: [] }
    const { requirements, conflicts } = mergeRequirements([base], [here], [there])
    expect(requirements).toEqual([{ ...base, title: 'Sign in', files: ['src/b.ts'] }])
    expect(conflicts).toEqual([])
  })

  it('names two different edits of one field, and keeps the one of here', () => {
    const result = mergeRequirements([base], [{ ...base, title: 'Sign in' }], [{ ...base, title: 'Log on' }])
    expect(result.requirements[0]!.title).toBe('Sign in')
    expect(result.conflicts).toEqual([
      { id: 'REQ-1', kind: 'field', field: 'title', base: 'Log in', here: 'Sign in', there: 'Log on' },
    ])
  })

  it('keeps a requirement that one side deleted and the other changed, and names it', () => {
    const there = { ...base, title: 'Sign in' }
    expect(mergeRequirements([base], [], [there])).toMatchObject({
      requirements: [there],
      conflicts: [{ id: 'REQ-1', kind: 'deleted_here' }],
      added: ['REQ-1'],
    })
  })

  it('deletes a requirement that one side deleted and the other left as it was', () => {
    expect(mergeRequirements([base], [base], [])).toMatchObject({ requirements: [], conflicts: [], removed: ['REQ-1'] })
  })

  it('keeps a source that one side removed and the other changed', () => {
    const source = { provider: 'jira', key: 'A-1' }
    const result = mergeRequirements([{ ...base, source }], [base], [{ ...base, source: { ...source, revision: '2' } }])
    expect(result.requirements[0]!.source).toEqual({ ...source, revision: '2' })
    expect(result.conflicts).toMatchObject([{ field: 'source', there: { revision: '2' } }])
  })

  it('loses no edit of either side that it does not name', () => {
    fc.assert(
      fc.property(sides, ([start, ours, theirs]) => {
        const common = apply([], start)
        const [here, there] = [apply(common, ours), apply(common, theirs)]
        expect(listLostEdits(common, here, there, mergeRequirements(common, here, there))).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  it('changes nothing where only one side changed', () => {
    fc.assert(
      fc.property(sides, ([start, ours]) => {
        const common = apply([], start)
        const here = apply(common, ours)
        for (const merged of [mergeRequirements(common, here, common), mergeRequirements(common, common, here)]) {
          expect(merged.conflicts).toEqual([])
          expect(merged.requirements.length).toBe(here.length)
          for (const each of here) expect(merged.requirements.some(other => isSame(each, other))).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('names the same conflicts whichever side merges', () => {
    fc.assert(
      fc.property(sides, ([start, ours, theirs]) => {
        const common = apply([], start)
        const [here, there] = [apply(common, ours), apply(common, theirs)]
        const names = (conflicts: { id: string; field?: string }[]) =>
          conflicts.map(({ id, field = '' }) => `${id} ${field}`).sort()
        expect(names(mergeRequirements(common, here, there).conflicts)).toEqual(
          names(mergeRequirements(common, there, here).conflicts),
        )
      }),
      { numRuns: 300 },
    )
  })
})
