import { expect, it } from 'vitest'
import { mergeRequirements } from '../../../engine/delivery/requirements/merge.ts'
import type { RequirementRecord } from '../../../engine/delivery/requirements/model.ts'
import fc from '../../made/property.ts'
import { listLostEdits } from './merge-laws.ts'
import { apply, change } from './record.ts'

const HISTORIES = Number(process.env.SVC_HISTORIES ?? 5000)
const round = fc.tuple(fc.array(change, { maxLength: 6 }), fc.array(change, { maxLength: 6 }))

it(`loses no edit in ${HISTORIES} histories of repeated pulls`, () => {
  fc.assert(
    fc.property(fc.array(round, { minLength: 1, maxLength: 8 }), rounds => {
      let pulled: RequirementRecord[] = []
      let here: RequirementRecord[] = []
      let there: RequirementRecord[] = []
      for (const [ours, theirs] of rounds) {
        here = apply(here, ours)
        there = apply(there, theirs)
        const merged = mergeRequirements(pulled, here, there)
        expect(listLostEdits(pulled, here, there, merged)).toEqual([])
        here = merged.requirements
        pulled = there
      }
    }),
    { numRuns: HISTORIES },
  )
})
