import { describe, expect, it } from 'vitest'
import { splitValue } from '../../../mcp/pages.ts'
import { ANSWER_BYTES, createResults } from '../../../mcp/results.ts'
import { cutText, measure, splitText } from '../../../mcp/size.ts'
import fc from '../../made/property.ts'

/** All strings and other single values of a document, in order; consecutive parts of one string count as they are joined. */
function leaves(value: unknown): string {
  if (Array.isArray(value)) return value.map(leaves).join('')
  if (typeof value === 'object' && value !== null) return Object.values(value).map(leaves).join('')
  return String(value)
}

/** Half of a surrogate pair. */
const HALF = /[\ud800-\udfff]/u

const document = fc.array(
  fc.record({
    path: fc.string({ unit: 'binary', maxLength: 2000 }),
    rows: fc.array(fc.array(fc.string({ maxLength: 300 }), { maxLength: 30 }), { maxLength: 20 }),
  }),
  { maxLength: 20 },
)

describe('a value in pages', () => {
  it('keeps every element in its order, and no page is larger than asked', () => {
    fc.assert(
      fc.property(
        document,
        fc.integer({ min: 3000, max: 20_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (elements, bytes, share) => {
          // Short fields are repeated on each page, so the property compares what has none.
          const value = elements.map(({ path, rows }) => [path, rows])
          const pages = splitValue(value, bytes, bytes * share)
          for (const page of pages) expect(measure(page)).toBeLessThanOrEqual(bytes)
          expect(pages.map(leaves).join('')).toBe(leaves(value))
        },
      ),
      { numRuns: 100 },
    )
  })

  it('repeats the short fields of an object and continues the long ones', () => {
    const findings = Array.from({ length: 100 }, (_, line) => ({ line, message: 'm'.repeat(50) }))
    const pages = splitValue({ run_id: 'r', total: 100, findings, notes: ['n'] }, 2000) as Record<string, unknown>[]
    expect(pages.length).toBeGreaterThan(3)
    expect(pages.every(({ run_id, total }) => run_id === 'r' && total === 100)).toBe(true)
    expect(pages.flatMap(page => page.findings ?? [])).toEqual(findings)
    expect(pages.flatMap(page => page.notes ?? [])).toEqual(['n'])
  })

  it('fills each page but the last', () => {
    const notes = Array.from({ length: 40 }, () => 'n'.repeat(30))
    const rows = Array.from({ length: 500 }, (_, n) => ({ n, text: 't'.repeat(80) }))
    const pages = splitValue({ id: 'r', notes, text: 'x'.repeat(5000), nested: { rows, after: notes } }, 8000)
    for (const page of pages.slice(0, -1)) expect(measure(page)).toBeGreaterThan(8000 * 0.85)
    for (const page of pages) expect(measure(page)).toBeLessThanOrEqual(8000)
    const all = pages as { notes?: string[]; text?: string; nested?: { rows?: object[]; after?: string[] } }[]
    expect(all.flatMap(page => page.notes ?? [])).toEqual(notes)
    expect(all.map(page => page.text ?? '').join('')).toBe('x'.repeat(5000))
    expect(all.flatMap(page => page.nested?.rows ?? [])).toEqual(rows)
    expect(all.flatMap(page => page.nested?.after ?? [])).toEqual(notes)
  })

  it('holds all of a map with ten thousand keys', () => {
    const map = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`src/file-${n}.ts`, [n]]))
    const pages = splitValue({ map }, 9000) as { map: object }[]
    expect(pages.reduce((sum, page) => sum + Object.keys(page.map).length, 0)).toBe(10_000)
    for (const page of pages) expect(measure(page)).toBeLessThanOrEqual(9000)
  })
})

describe('a string in parts', () => {
  it('is the same when joined, within the bytes, and cut in no character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), fc.integer({ min: 20, max: 2000 }), (text, bytes) => {
        const parts = splitText(text, bytes)
        expect(parts.join('')).toBe(text)
        for (const part of parts) {
          expect(measure(part)).toBeLessThanOrEqual(bytes)
          if (!HALF.test(text)) expect(part).not.toMatch(HALF)
        }
      }),
    )
  })

  it('counts control characters, quotes and half a surrogate pair as they are escaped', () => {
    for (const text of [
      '\u0000'.repeat(500),
      '"'.repeat(500),
      '\ud800'.repeat(500),
      '😀'.repeat(500),
      '\u2028\n'.repeat(500),
    ])
      for (const part of splitText(text, 100)) expect(measure(part)).toBeLessThanOrEqual(100)
  })

  it('ends a part with a line where one ends in its second half', () => {
    expect(splitText(`${'a'.repeat(60)}\n${'b'.repeat(60)}`, 100)).toEqual([`${'a'.repeat(60)}\n`, 'b'.repeat(60)])
    expect(cutText('short', 100)).toBe('short')
  })
})

describe('kept answers', () => {
  const long = { lines: Array.from({ length: 3000 }, (_, n) => `line ${n}`) }

  it('come in pages that all fit, and hold all of text and output', () => {
    const results = createResults()
    const text = long.lines.join('\n')
    let page = results.page('show', 'me', text, long)
    const pages = [page]
    while (page.next !== undefined) {
      page = results.find(page.next, 'me')!
      pages.push(page)
    }
    expect(pages.map(({ number }) => number)).toEqual(pages.map((_, index) => index + 1))
    expect(pages.flatMap(({ structured }) => structured.lines ?? [])).toEqual(long.lines)
    expect(pages.map(({ text }) => text).join('')).toBe(text)
    for (const { text, structured } of pages)
      expect(measure(text) + measure(structured)).toBeLessThanOrEqual(ANSWER_BYTES)
    expect(pages.at(-1)!.structured.next_cursor).toBeUndefined()
  })

  it('are nobody else’s, and a cursor that is none finds nothing', () => {
    const results = createResults()
    const { next } = results.page('show', 'me', '', long)
    expect(results.find(next!, 'you')).toBeUndefined()
    expect(results.list('you')).toEqual([])
    for (const cursor of ['', '.', `${next}0000`, next!.replace(/\.2$/, '.0'), next!.replace('.', '/'), '__proto__.1'])
      expect(results.find(cursor, 'me'), cursor).toBeUndefined()
  })

  it('of one page are not kept, and of the others the oldest are forgotten', () => {
    const results = createResults()
    expect(results.page('show', 'me', 'x', { a: 1 })).toMatchObject({ pages: 1, structured: { a: 1 } })
    expect(results.list('me')).toEqual([])
    const cursors = Array.from({ length: 70 }, () => results.page('show', 'me', '', long).next!)
    expect(results.list('me')).toHaveLength(64)
    expect(results.find(cursors[0]!, 'me')).toBeUndefined()
    expect(results.find(cursors[69]!, 'me')).toBeDefined()
  })
})
