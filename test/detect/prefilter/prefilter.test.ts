import { describe, expect, test } from 'vitest'
import { buildTrie, RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { buildLiteralTrie } from '../../../engine/detect/prefilter/literal-trie.ts'
import { makePrefilter } from '../../../engine/detect/prefilter/prefilter.ts'
import { decodeTrie, encodeTrie } from '../../../engine/detect/prefilter/trie-file.ts'
import type { Requirement } from '../../../engine/detect/rules/requirement.ts'
import { loadBuiltinRules } from '../../../engine/sources/packs/load.ts'
import fc from '../../made/property.ts'

const buildPrefilter = (requirements: Requirement[]) =>
  makePrefilter(buildLiteralTrie(requirements), Int32Array.from(requirements.keys()), { asksForAnchors: false })
const bytes = (text: string) => new TextEncoder().encode(text)
const plain = (text: string) => ({ text, word: false })
const word = (text: string) => ({ text, word: true })

describe('the prefilter', () => {
  test('admits a requirement when every clause has one of its literals, whatever the case', () => {
    const filter = buildPrefilter([[[plain('select'), plain('insert')], [plain('query')]]])
    filter.scan(bytes('db.QUERY("SELECT 1")'))
    expect(filter.admits(0)).toBe(true)
    filter.scan(bytes('db.query("UPDATE t")'))
    expect(filter.admits(0)).toBe(false)
  })

  test('takes a word literal only where it stands between characters that are no part of an identifier', () => {
    const filter = buildPrefilter([[[word('free')]]])
    const admits = (text: string) => {
      filter.scan(bytes(text))
      return filter.admits(0)
    }
    expect(admits('kfree(p)')).toBe(false)
    expect(admits('free_list')).toBe(false)
    expect(admits('p; free(p)')).toBe(true)
    expect(admits('free')).toBe(true)
    expect(admits('\u00a0free(p)')).toBe(true)
  })

  test('takes a called word only where a parenthesis may follow', () => {
    const filter = buildPrefilter([[[{ text: 'system', word: true, call: true }]]])
    const admits = (text: string) => {
      filter.scan(bytes(text))
      return filter.admits(0)
    }
    expect(admits('the operating system is fine')).toBe(false)
    expect(admits('system')).toBe(false)
    expect(
      ['system(x)', 'system \n (x)', 'system/* why */(x)', 'system \\\n(x)', 'system\u00a0(x)'].map(admits),
    ).toEqual([true, true, true, true, true])
  })

  test('finds a literal that begins inside another one', () => {
    const filter = buildPrefilter([[[plain('abcd')]], [[plain('bc')]], [[plain('cde')]]])
    filter.scan(bytes('xabcde'))
    expect([0, 1, 2].map(i => filter.admits(i))).toEqual([true, true, true])
  })

  test('knows as much of a file after one in which it was broken off anywhere', () => {
    const trie = buildLiteralTrie(['abcd', 'bcd', 'cd', 'bce', 'ef', 'efg', 'fgh', 'h'].map(text => [[plain(text)]]))
    const chosen = Int32Array.from({ length: 8 }, (_, index) => index)
    const text = bytes('xabcdbcefgh abce')
    const whole = makePrefilter(trie, chosen, { asksForAnchors: false })
    whole.scan(text)
    let isBroken = true
    for (let at = 0; isBroken; at++) {
      let left = Number.POSITIVE_INFINITY
      // What is found out of the trie when a text comes by asks for it: the clock is as good as any of these.
      const lastEnd = new Proxy(trie.lastEnd, {
        get: (target, key) => {
          if (left-- === 0) throw new Error('broken off')
          return Reflect.get(target, key, target)
        },
      })
      const filter = makePrefilter({ ...trie, lastEnd }, chosen, { asksForAnchors: false })
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

  test('does not remember the file before', () => {
    const filter = buildPrefilter([[[plain('eval')]]])
    filter.scan(bytes('eval'))
    filter.scan(bytes('clean'))
    expect(filter.admits(0)).toBe(false)
  })

  test('admits a requirement without clauses for every file', () => {
    const filter = buildPrefilter([[]])
    filter.scan(bytes(''))
    expect(filter.admits(0)).toBe(true)
  })

  test('counts lines, blank ones and the longest', () => {
    const filter = buildPrefilter([])
    expect(filter.scan(bytes('one\n\nthree\r\n\r\nlast'))).toEqual({ lines: 5, longest_line: 6 })
    expect(filter.scan(bytes(''))).toEqual({ lines: 0, longest_line: 0 })
  })

  test('tells where anchors begin to whoever asks for them, and to nobody else', () => {
    const trie = buildLiteralTrie([[[plain('query')]]], ['key', 'passkey'])
    const anchorsOf = (asked: boolean) => {
      const filter = makePrefilter(trie, Int32Array.of(0), { asksForAnchors: asked })
      filter.scan(bytes('Passkey, query key'))
      return [filter.admits(0), ...filter.anchors()]
    }
    expect(anchorsOf(true)).toEqual([true, 0, 4, 15])
    expect(anchorsOf(false)).toEqual([true])
  })

  test('finds each of literals that are too many to be numbered in two bytes', () => {
    const literals = Array.from({ length: 20_000 }, (_, index) => `${(index * 7919).toString(36)}-${index}`)
    const trie = buildLiteralTrie(literals.map(text => [[plain(text)]]))
    expect(trie.children.length).toBeGreaterThan(0x10000)
    const filter = makePrefilter(decodeTrie(encodeTrie(trie)), Int32Array.from(literals.keys()), {
      asksForAnchors: false,
    })
    for (const index of [0, 1, 9_999, 19_999]) {
      filter.scan(bytes(` ${literals[index]} `))
      expect(filter.admitted().map(found => literals[found])).toContain(literals[index])
    }
    filter.scan(bytes('none'))
    expect(filter.admitted()).toEqual([])
  })

  test('finds the same whatever texts came by before', () => {
    const literals = Array.from({ length: 400 }, (_, index) => `word${index}x${(index * 7919) % 1000}`)
    const filter = buildPrefilter(literals.map(text => [[plain(text)]]))
    for (let round = 0; round < 2; round++) {
      for (const [index, text] of literals.entries()) {
        filter.scan(bytes(`of ${text}.`))
        expect(filter.admitted()).toEqual([index])
      }
    }
  })

  test('agrees with a plain search on any text and any literals', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'C', '_', ' ', '\n'), minLength: 0, maxLength: 60 })
    const literal = fc.record({
      text: fc.string({ unit: fc.constantFrom('a', 'b', 'c', '_'), minLength: 1, maxLength: 4 }),
      word: fc.boolean(),
    })
    fc.assert(
      fc.property(letters, fc.array(literal, { minLength: 1, maxLength: 8 }), (text, literals) => {
        const filter = buildPrefilter(literals.map(one => [[one]]))
        const { lines } = filter.scan(bytes(text))
        const folded = text.toLowerCase()
        literals.forEach((one, i) => {
          const pattern = one.word ? new RegExp(`(?<![a-z0-9_])${one.text}(?![a-z0-9_])`) : new RegExp(one.text)
          expect(filter.admits(i)).toBe(pattern.test(folded))
        })
        expect(lines).toBe(text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0))
      }),
    )
  })

  test('answers in each language for what is asked in it as without languages, in whatever order their texts come', () => {
    const languages = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
    const literal = fc.record({
      text: fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 3 }),
      word: fc.boolean(),
    })
    const asked = fc.tuple(literal, fc.subarray(languages))
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 12 })
    fc.assert(
      fc.property(
        fc.array(asked, { minLength: 1, maxLength: 8 }),
        fc.array(fc.tuple(text, fc.constantFrom(...languages)), { maxLength: 20 }),
        fc.nat(20),
        (requirements, texts, enough) => {
          const trie = buildLiteralTrie(requirements.map(([one]) => [[one]]))
          const chosen = Int32Array.from(requirements.keys())
          const isAskedIn = (index: number, language: string) => requirements[index]![1].includes(language)
          const apart = makePrefilter(trie, chosen, { asksForAnchors: false, isAskedIn, enough })
          const together = makePrefilter(trie, chosen, { asksForAnchors: false })
          for (const [own, language] of texts) {
            expect(apart.scan(bytes(own), language)).toEqual(together.scan(bytes(own)))
            const expected = together.admitted().filter(index => isAskedIn(index, language))
            expect(apart.admitted().filter(index => isAskedIn(index, language))).toEqual(expected)
          }
        },
      ),
    )
  })

  test('does not look for what other languages ask for in one of which enough was read', () => {
    const trie = buildLiteralTrie([[[plain('own')]], [[plain('other')]]])
    const filter = makePrefilter(trie, Int32Array.of(0, 1), {
      asksForAnchors: false,
      isAskedIn: (index, language) => language === ['c', 'go'][index],
      enough: 10,
    })
    const admittedOf = (language: string) => {
      filter.scan(bytes('own other'), language)
      return filter.admitted()
    }
    expect(admittedOf('c')).toEqual([0, 1])
    expect(admittedOf('c')).toEqual([0])
    expect(admittedOf('go')).toEqual([0, 1])
    expect(admittedOf('go')).toEqual([1])
  })

  test('answers for some of the rules that were put together beforehand, and for others beside them, as for all put together alone', () => {
    const all = loadBuiltinRules()
    const words = all.flatMap(({ requirement }) => requirement.flat().map(({ text }) => text))
    const sample = fc.array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(' ', '(', '\n', '.', '')), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(all.length - 1), { maxLength: 40 }),
        sample,
        fc.nat(4),
        (chosen, parts, every) => {
          // A rule without a number is one of the repository's, of which the program has put nothing together.
          const rules = chosen.map((index, at) => {
            const { number, ...rule } = all[index]!
            return number === undefined || at % 4 < every ? rule : { ...rule, number }
          })
          const alone = makePrefilter(
            buildTrie(rules),
            Int32Array.from({ length: rules.length + 1 }, (_, index) => index),
            { asksForAnchors: false },
          )
          const together = new RuleSet(rules).prefilter
          const text = bytes(parts.flat().join(''))
          expect(together.scan(text)).toEqual(alone.scan(text))
          // Behind the rules and the inline suppressions a set that looks for secrets has two conditions of its own.
          expect(together.admitted().filter(index => index <= rules.length)).toEqual(alone.admitted())
        },
      ),
      { numRuns: 60 },
    )
  })
})
