import { describe, expect, test } from 'vitest'
import { buildLiteralTrie } from '../../../engine/detect/prefilter/literal-trie.ts'
import { makePrefilter } from '../../../engine/detect/prefilter/prefilter.ts'
import type { Requirement } from '../../../engine/detect/rules/requirement.ts'
import fc from '../../made/property.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const plain = (text: string) => ({ text, word: false })

/** The same filter with the pass in WebAssembly from the first byte on, and without it. */
function makeBoth(requirements: Requirement[], anchors: string[] = []) {
  const trie = buildLiteralTrie(requirements, anchors)
  const chosen = Int32Array.from(requirements.keys())
  return [0, Number.POSITIVE_INFINITY].map(much =>
    makePrefilter(trie, chosen, { asksForAnchors: anchors.length > 0, much }),
  )
}

const literal = fc.record({
  text: fc.string({ unit: fc.constantFrom('a', 'b', 'c', '_', 'é'), minLength: 1, maxLength: 5 }),
  word: fc.boolean(),
  call: fc.boolean(),
})
const piece = fc.constantFrom('a', 'b', 'C', '_', ' ', '\n', '(', '/', '\\', '#', 'é', '\u00a0', 'x', '\u0000')

describe('the pass in WebAssembly', () => {
  test('finds what the automaton finds, in texts long enough to be read at several places in turn', () => {
    fc.assert(
      fc.property(
        fc.array(literal, { minLength: 1, maxLength: 8 }),
        fc.uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 }), {
          maxLength: 3,
        }),
        fc.array(fc.tuple(fc.array(piece, { minLength: 1, maxLength: 40 }), fc.nat(120)), { maxLength: 6 }),
        (literals, anchors, parts) => {
          const [compiled, other] = makeBoth(
            literals.map(one => [[one]]),
            anchors,
          )
          const long = bytes(parts.map(([own, times]) => own.join('').repeat(times)).join(''))
          for (const text of [long, long.subarray(0, 50), bytes(''), long]) {
            expect(compiled!.scan(text)).toEqual(other!.scan(text))
            expect(compiled!.admitted()).toEqual(other!.admitted())
            expect([...compiled!.anchors()]).toEqual([...other!.anchors()])
          }
        },
      ),
      { numRuns: 120 },
    )
  })

  test('tells every anchor of a text that has more of them than fit at once, in order', () => {
    const [compiled] = makeBoth([[[plain('zzz')]]], ['key', 'passkey'])
    compiled!.scan(bytes('key passkey,'.repeat(20_000)))
    const expected = Array.from({ length: 20_000 }, (_, index) => [0, 4, 8].map(at => at + 12 * index)).flat()
    expect([...compiled!.anchors()]).toEqual(expected)
  })

  test('reads a text of many megabytes', () => {
    const [compiled, other] = makeBoth([[[plain('needle')]], [[plain('none')]]])
    const text = bytes(`${'hay\n'.repeat(1_500_000)}needle`)
    expect(compiled!.scan(text)).toEqual(other!.scan(text))
    expect(compiled!.admitted()).toEqual([0])
  })

  test('leaves literals to the automaton that come by in more states than it has room for', () => {
    const words = Array.from({ length: 8_000 }, (_, index) => `${(index * 7919).toString(36)}-${index}`)
    const [compiled] = makeBoth(words.map(text => [[plain(text)]]))
    compiled!.scan(bytes(words.join(' ')))
    expect(compiled!.admitted()).toHaveLength(words.length)
    compiled!.scan(bytes(` ${words[7]} `))
    expect(compiled!.admitted().map(index => words[index])).toContain(words[7])
  })

  test('knows as much of a file after one in which it was broken off anywhere', () => {
    const trie = buildLiteralTrie(['abcd', 'bcd', 'cd', 'bce', 'ef', 'efg', 'fgh', 'h'].map(text => [[plain(text)]]))
    const chosen = Int32Array.from({ length: 8 }, (_, index) => index)
    const text = bytes('xabcdbcefgh abce'.repeat(100))
    const whole = makePrefilter(trie, chosen, { asksForAnchors: false })
    whole.scan(text)
    let isBroken = true
    for (let at = 0; isBroken; at++) {
      let left = Number.POSITIVE_INFINITY
      const lastEnd = new Proxy(trie.lastEnd, {
        get: (target, key) => {
          if (left-- === 0) throw new Error('broken off')
          return Reflect.get(target, key, target)
        },
      })
      const filter = makePrefilter({ ...trie, lastEnd }, chosen, { asksForAnchors: false, much: 0 })
      left = at
      isBroken = false
      try {
        filter.scan(text)
      } catch {
        isBroken = true
      }
      left = Number.POSITIVE_INFINITY
      filter.scan(text)
      expect(filter.admitted(), `broken off at ${at}`).toEqual(whole.admitted())
    }
  })
})
