import { expect, it } from 'vitest'
import { SharedMap } from '../../../engine/detect/taint/shared-map.ts'
import fc from '../../made/property.ts'

/** One map of several, and what is done to it; `copy` adds its copy to them. */
const command = fc.record({
  map: fc.nat({ max: 5 }),
  does: fc.constantFrom('set', 'set', 'set', 'delete', 'copy'),
  key: fc.nat({ max: 30 }),
})

/** Carries commands out on shared maps and on plain ones side by side. */
function carryOut(commands: readonly { map: number; does: string; key: number }[]) {
  const maps = [{ shared: new SharedMap<number, object>(), plain: new Map<number, object>() }]
  for (const { map, does, key } of commands) {
    const { shared, plain } = maps[map % maps.length]!
    const value = {}
    if (does === 'copy') maps.push({ shared: shared.copy(), plain: new Map(plain) })
    else if (does === 'set') {
      shared.set(key, value)
      plain.set(key, value)
    } else expect(shared.delete(key)).toBe(plain.delete(key))
  }
  return maps
}

const commands = fc.array(command, { maxLength: 200, size: 'max' })

it('a map that shares with its copies holds what a map of its own would', () => {
  fc.assert(
    fc.property(commands, all => {
      for (const { shared, plain } of carryOut(all)) {
        expect(new Map(shared)).toEqual(plain)
        expect(shared.size).toBe(plain.size)
        for (let key = 0; key <= 30; key++) {
          expect(shared.get(key)).toBe(plain.get(key))
          expect(shared.has(key)).toBe(plain.has(key))
        }
      }
    }),
  )
})

it('two maps differ under the keys under which one has another value, each named once', () => {
  fc.assert(
    fc.property(commands, all => {
      const maps = carryOut(all)
      for (const one of maps)
        for (const other of maps) {
          const keys = [...new Set([...one.plain.keys(), ...other.plain.keys()])]
          const different = keys.filter(key => one.plain.get(key) !== other.plain.get(key))
          expect(one.shared.listDifferent(other.shared).sort()).toEqual(different.sort())
          if (one.shared.isAs(other.shared)) expect(different).toEqual([])
        }
    }),
    { numRuns: 30 },
  )
})
