import { describe, expect, test } from 'vitest'
import { compileOwners } from '../../engine/gate/change/agreement.ts'
import { findConfigWeakenings } from '../../engine/gate/change/config-diff.ts'
import {
  findAttributeWeakenings,
  findRuleWeakenings,
  findSuppressionWeakenings,
  readAttributeMacros,
} from '../../engine/gate/change/file-diff.ts'
import { growth, SQUARE } from '../made/effort.ts'

const bytes = (lines: readonly string[]) => Buffer.from(`${lines.join('\n')}\n`)
const range = (size: number) => [...Array(size).keys()]

describe('what a change weakens is found in time that grows with the size of its files', () => {
  test('attributes', () => {
    const judge = (size: number) => {
      const old = bytes(range(size).map(each => `a${each}.js -linguist-generated`))
      const now = bytes(range(size).map(each => `b${each}.js linguist-generated`))
      return findAttributeWeakenings('.gitattributes', old, now, readAttributeMacros(old, now))
    }
    expect(growth(judge, 4000)).toBeLessThan(SQUARE)
  })

  test('macros of attributes', () => {
    const judge = (size: number) => {
      const now = bytes([
        ...range(size).map(each => `[attr]m${each} m${each + 1}`),
        `[attr]m${size} linguist-generated`,
        ...range(size).map(each => `b${each}.js m${each}`),
      ])
      return findAttributeWeakenings('.gitattributes', undefined, now, readAttributeMacros(now))
    }
    expect(judge(10)).toHaveLength(21)
    expect(growth(judge, 2000)).toBeLessThan(SQUARE)
  })

  test('lists of a configuration', () => {
    const judge = (size: number) =>
      findConfigWeakenings(
        'x',
        { scan_exclude: range(size).map(each => `a${each}`) },
        { scan_exclude: range(size).map(each => `b${each}`) },
        () => 1,
      )
    expect(growth(judge, 2000)).toBeLessThan(SQUARE)
  })

  test('owners of many files', () => {
    const judge = (size: number) => {
      const ownersOf = compileOwners(
        range(500)
          .map(each => `/a${each}/*.js @kim`)
          .join('\n'),
      )
      return range(size).map(() => ownersOf('z/b.js'))
    }
    expect(growth(judge, 5000)).toBeLessThan(SQUARE)
  })
})

describe('entries are compared by what they say', () => {
  test('suppressions of which none was there before', async () => {
    const entries = (name: string) => bytes(range(300).map(each => `- {rule: ${name}${each}, reason: known}`))
    const found = await findSuppressionWeakenings(entries('a'), entries('b'))
    expect(found).toHaveLength(300)
  })

  test('suppressions are covered by an entry of every file, and by a longer time', async () => {
    const old = bytes([
      '- {rule: a, reason: x, expires: 2027-01-31}',
      '- {rule: a, reason: x, expires: 2026-01-31}',
      '- {rule: b, file: f.js, reason: x}',
      '- {rule: b, file: f.js, reason: x, expires: 2026-01-31}',
    ])
    const now = (line: string) => findSuppressionWeakenings(old, bytes([line]))
    expect(await now('- {rule: a, file: g.js, reason: y, expires: 2027-01-30}')).toEqual([])
    expect(await now('- {rule: a, file: g.js, reason: y, expires: 2027-02-01}')).toHaveLength(1)
    expect(await now('- {rule: a, reason: y}')).toHaveLength(1)
    expect(await now('- {rule: b, file: f.js, reason: y}')).toEqual([])
    expect(await now('- {rule: b, reason: y}')).toHaveLength(1)
  })

  test('rules of its own are equal whatever the order of their keys', async () => {
    const before = bytes(['rules:', '  - {id: a, n: 1, s: "1"}', '  - {id: b}'])
    const judge = (...lines: string[]) => findRuleWeakenings('.svc/packs/x/rules.yaml', before, bytes(lines))
    expect(await judge('rules:', '  - {id: b}', '  - {id: c}', '  - {s: "1", n: 1, id: a}')).toEqual([])
    expect(await judge('rules:', '  - {id: b}', '  - {id: a, n: "1", s: "1"}')).toHaveLength(1)
    expect(await judge('rules:', '  - {id: b}')).toHaveLength(1)
  })
})

test('more than a hundred lines of attributes are one finding, which counts them and names exactly these', () => {
  const none = readAttributeMacros()
  const lines = (size: number, word: string) => bytes(range(size).map(each => `${word}${each}.js linguist-generated`))
  const judge = (now: Buffer) => findAttributeWeakenings('.gitattributes', undefined, now, none)
  expect(judge(lines(100, 'a'))).toHaveLength(100)
  const [one, ...more] = judge(lines(101, 'a'))
  expect(more).toEqual([])
  expect(one!.what).toMatch(/^101 lines that exclude files from the scan added \[[0-9a-f]{12}\]$/)
  expect(judge(lines(101, 'b'))[0]!.what).not.toBe(one!.what)
})
