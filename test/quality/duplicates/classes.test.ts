import { describe, expect, test } from 'vitest'
import { findClones } from '../../../engine/quality/duplicates/classes.ts'
import { compareFiles } from '../../../engine/quality/duplicates/find.ts'
import { readTokens } from '../../../engine/quality/duplicates/tokens.ts'
import fc from '../../made/property.ts'

const compare = (files: Record<string, string>, minTokens = 5, renamed = false) =>
  compareFiles(
    Object.entries(files).map(([path, text]) => ({ path, tokens: readTokens('typescript', text, renamed) })),
    minTokens,
  )
const places = (found: ReturnType<typeof compare>) =>
  found.classes.map(({ tokens, occurrences }) => [
    tokens,
    ...occurrences.map(({ file, line, end_line }) => `${file}:${line}-${end_line}`),
  ])

const BODY = 'const sum = a + b;\nreturn sum * 2;\n'

describe('clone classes', () => {
  test('have all places of the same tokens, whatever stands between these', () => {
    const spread = '// a comment\nconst sum =\n  a + b;  /* why */ return sum * 2;'
    const found = compare({ 'a.ts': `x;\n${BODY}`, 'b.ts': BODY, 'c.ts': spread })
    expect(places(found)).toEqual([[12, 'a.ts:2-3', 'b.ts:1-2', 'c.ts:2-3']])
  })

  test('are extended as far as their members agree, and a part that more places have is a class of its own', () => {
    const long = `one(1);\n${BODY}two(2);\n`
    const found = compare({ 'a.ts': long, 'b.ts': long, 'c.ts': `zero(0);\n${BODY}` })
    expect(places(found)).toEqual([
      [14, 'a.ts:1-3', 'b.ts:1-3', 'c.ts:1-3'],
      [22, 'a.ts:1-4', 'b.ts:1-4'],
    ])
  })

  test('do not join two files, nor overlap themselves', () => {
    expect(compare({ 'a.ts': 'a b c', 'b.ts': 'd e a b c d e' }).classes).toEqual([])
    expect(places(compare({ 'a.ts': 'a a a a a a a a a' }))).toEqual([])
    expect(places(compare({ 'a.ts': 'a a a a a a a a a a a' }))).toEqual([[5, 'a.ts:1-1', 'a.ts:1-1']])
  })

  test('with renamed names are found by option, and keywords and literals still count', () => {
    const other = 'const total = x + y;\nreturn total * 2;\n'
    expect(compare({ 'a.ts': BODY, 'b.ts': other }).classes).toEqual([])
    expect(places(compare({ 'a.ts': BODY, 'b.ts': other }, 5, true))).toEqual([[12, 'a.ts:1-2', 'b.ts:1-2']])
    expect(compare({ 'a.ts': BODY, 'b.ts': other.replace('2', '3') }, 12, true).classes).toEqual([])
    expect(compare({ 'a.ts': BODY, 'b.ts': other.replace('const', 'let') }, 12, true).classes).toEqual([])
  })

  test('of another language are none', () => {
    const [one, other] = ['typescript', 'java'].map(language => readTokens(language, BODY, false))
    const files = [
      { path: 'a.ts', tokens: one! },
      { path: 'a.java', tokens: other! },
    ]
    expect(compareFiles(files, 5).classes).toEqual([])
  })

  test('count the lines that have a duplicated token', () => {
    const found = compare({ 'a.ts': `x;\n\n${BODY}`, 'b.ts': BODY })
    expect(found).toMatchObject({ lines: 5, duplicated_lines: 4, duplicated_share: 0.8 })
  })
})

const word = fc.constantFrom('a', 'b', '(', ')', '1', '"s"')
const text = fc.array(word, { maxLength: 30 }).map(words => words.join(' '))
const project = fc.array(text, { maxLength: 4 })

test('clones are the same whatever the order of the files', () => {
  fc.assert(
    fc.property(project, fc.infiniteStream(fc.nat()), (texts, order) => {
      const files = texts.map((each, at) => ({ path: `${at}.ts`, tokens: readTokens('typescript', each, false) }))
      const keyed = files.map(file => ({ file, key: order.next().value as number }))
      const shuffled = keyed.sort((a, b) => a.key - b.key).map(({ file }) => file)
      expect(compareFiles(shuffled, 3)).toEqual(compareFiles(files, 3))
    }),
  )
})

test('every occurrence has the tokens of the others, apart and in one file, and every repeated window is marked', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.nat(3), { maxLength: 30 }), { maxLength: 4 }),
      fc.integer({ min: 2, max: 6 }),
      (files, width) => {
        const bounds = [0]
        for (const file of files) bounds.push(bounds.at(-1)! + file.length)
        const tokens = Int32Array.from(files.flat())
        const { classes, duplicated } = findClones(tokens, bounds, width)
        for (const { occurrences, tokens: length } of classes) {
          expect(new Set(occurrences.map(({ start, end }) => tokens.slice(start, end).join())).size).toBe(1)
          expect(occurrences.length).toBeGreaterThan(1)
          occurrences.forEach(({ file, start, end }, at) => {
            expect(end - start).toBe(length)
            expect(length).toBeGreaterThanOrEqual(width)
            expect(start >= bounds[file]! && end <= bounds[file + 1]!).toBe(true)
            if (at > 0) expect(start).toBeGreaterThanOrEqual(occurrences[at - 1]!.end)
          })
        }
        // By every pair of windows: a token is marked just where its window is elsewhere too.
        const windows = files.flatMap((file, index) =>
          file.slice(0, Math.max(0, file.length - width + 1)).map((_, at) => bounds[index]! + at),
        )
        const textAt = (at: number) => tokens.slice(at, at + width).join()
        const expected = new Uint8Array(tokens.length)
        for (const one of windows)
          for (const other of windows)
            if (other >= one + width && textAt(one) === textAt(other))
              for (const window of windows) if (textAt(window) === textAt(one)) expected.fill(1, window, window + width)
        expect(duplicated).toEqual(expected)
      },
    ),
  )
})

test.each([
  ['one token', () => 0],
  ['two tokens in turn', (at: number) => at % 2],
  ['one line', (at: number) => at % 11],
  ['one line longer than a clone', (at: number) => at % 61],
])('a file of %s costs a bounded number of classes and steps', (_, tokenAt) => {
  const tokens = Int32Array.from({ length: 300_000 }, (_, at) => tokenAt(at))
  const { classes } = findClones(tokens, [0, tokens.length], 50)
  const occurrences = classes.reduce((sum, each) => sum + each.occurrences.length, 0)
  expect(classes.length).toBeLessThan(200)
  expect(occurrences).toBeLessThan(tokens.length)
})
