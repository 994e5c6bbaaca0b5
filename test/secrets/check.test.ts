import { describe, expect, it } from 'vitest'
import { type Check, mergeChecks, type ShownCheck, sortLiveFirst } from '../../engine/secrets/check.ts'
import fc from '../made/property.ts'

const check: fc.Arbitrary<Check> = fc.record({
  state: fc.constantFrom('live' as const, 'revoked' as const, 'unknown' as const, 'not_asked' as const),
  at: fc.integer({ min: 0, max: 10 ** 12 }).map(at => new Date(at).toISOString()),
})
const isClear = ({ state }: Check) => state === 'live' || state === 'revoked'

describe('questions about one secret', () => {
  it('leave the last answer of live or revoked, and beside it whatever was tried since', () => {
    fc.assert(
      fc.property(fc.array(check, { minLength: 1, maxLength: 6 }), checks => {
        const kept = checks.reduce<Check | undefined>(mergeChecks, undefined)!
        const lastClear = checks.findLast(isClear)
        expect(kept).toMatchObject(lastClear ?? checks.at(-1)!)
        expect(kept.tried?.at).toBe(lastClear && lastClear !== checks.at(-1) ? checks.at(-1)!.at : undefined)
      }),
    )
  })
})

describe('the order of secrets', () => {
  it('has those that are live first, those that were live next, and all others as they were', () => {
    const secret = fc.record({ checked: fc.option(fc.tuple(check, fc.boolean()), { nil: undefined }) })
    fc.assert(
      fc.property(fc.array(secret), made => {
        const secrets = made.map(({ checked }, n) => {
          const shown: ShownCheck | undefined = checked && { ...checked[0], current: checked[1] }
          return { n, ...(shown && { checked: shown }) }
        })
        const live = secrets.filter(({ checked }) => checked?.state === 'live')
        expect(sortLiveFirst(secrets)).toEqual([
          ...live.filter(({ checked }) => checked!.current),
          ...live.filter(({ checked }) => !checked!.current),
          ...secrets.filter(each => !live.includes(each)),
        ])
      }),
    )
  })
})
