import { expect, it } from 'vitest'
import { moveOn } from '../../engine/scan/kept-files.ts'
import fc from '../made/property.ts'

it('a row stands behind all others that stand before it, each of which moves it on by one', () => {
  const others = fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 40 }).map(places => places.sort((a, b) => a - b))
  fc.assert(
    fc.property(others, fc.nat({ max: 40 }), fc.boolean(), (places, first, isOwn) => {
      let place = first
      for (const other of places) if (other < place || (other === place && isOwn)) place++
      expect(moveOn(first, places, isOwn)).toBe(place)
    }),
  )
})
