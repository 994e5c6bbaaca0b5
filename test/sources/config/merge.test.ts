import { expect, test } from 'vitest'
import { merge, type Tree } from '../../../engine/sources/config/merge.ts'
import fc from '../../made/property.ts'

// Trees of one shape: a key is a map in all of them or in none, as in valid configurations.
const leaf = fc.oneof(fc.integer(), fc.array(fc.integer(), { maxLength: 3 }), fc.boolean())
const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor')
const { tree } = fc.letrec<{ tree: Tree }>(tie => ({
  tree: fc
    .tuple(
      fc.dictionary(name, leaf, { maxKeys: 3 }),
      fc.option(
        fc.dictionary(
          name.map(n => `map_${n}`),
          tie('tree'),
          { maxKeys: 2 },
        ),
      ),
    )
    .map(([leaves, maps]) => ({ ...leaves, ...maps }) as Tree),
}))

test('merging maps is associative, so folders can be taken in one step or in many', () => {
  fc.assert(
    fc.property(tree, tree, tree, (a, b, c) => {
      expect(merge(merge(a, b), c)).toEqual(merge(a, merge(b, c)))
    }),
  )
})

test('an empty map changes nothing, on either side, and merging twice is merging once', () => {
  fc.assert(
    fc.property(tree, a => {
      expect(merge(a, {})).toEqual(a)
      expect(merge({}, a)).toEqual(a)
      expect(merge(a, a)).toEqual(a)
    }),
  )
})

test('neither side is changed, and lists are replaced whole', () => {
  const base = { map_a: { list: [1, 2] } }
  expect(merge(base, { map_a: { list: [3] } })).toEqual({ map_a: { list: [3] } })
  expect(base).toEqual({ map_a: { list: [1, 2] } })
})

test('a key called __proto__ is data, not a way to the prototype', () => {
  const merged = merge(JSON.parse('{"__proto__": {"a": 1}}'), JSON.parse('{"__proto__": {"b": 2}}'))
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
  expect(Object.hasOwn(merged, '__proto__')).toBe(true)
  expect(({} as Record<string, unknown>).b).toBeUndefined()
})
