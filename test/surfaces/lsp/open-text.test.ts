import { describe, expect, it } from 'vitest'
import { type Encoding, OpenText } from '../../../cli/lsp/open-text.ts'
import fc from '../../made/property.ts'

const pieces = fc.constantFrom('a', 'é', '€', '😀', '\n', '\r\n', '\r', ' ', 'xyz')
const texts = fc.array(pieces, { maxLength: 40 }).map(each => each.join(''))
const encodings = fc.constantFrom<Encoding>('utf-8', 'utf-16')

/** Offsets at which a cursor can be: within no character and no line ending. */
function listCursors(text: string): number[] {
  const cursors: number[] = []
  for (let at = 0; at <= text.length; at++) {
    const isInPair = /[\udc00-\udfff]/.test(text[at] ?? '')
    if (!isInPair && !(text[at] === '\n' && text[at - 1] === '\r')) cursors.push(at)
  }
  return cursors
}

describe('a text that an editor has open', () => {
  it('has a position for each offset that leads back to it, in both encodings', () => {
    fc.assert(
      fc.property(texts, encodings, (text, encoding) => {
        const open = new OpenText('file:///a', 1, text, encoding)
        for (const at of listCursors(text)) expect(open.offsetAt(open.positionAt(at))).toBe(at)
      }),
    )
  })

  it('is after changes of parts what it is after being sent whole', () => {
    const edit = fc.tuple(fc.nat(), fc.nat(), texts)
    fc.assert(
      fc.property(texts, fc.array(edit, { maxLength: 8 }), encodings, (text, edits, encoding) => {
        const open = new OpenText('file:///a', 1, text, encoding)
        let whole = text
        for (const [one, other, insert] of edits) {
          const cursors = listCursors(whole)
          const [start, end] = [cursors[one % cursors.length]!, cursors[other % cursors.length]!].sort((a, b) => a - b)
          const range = open.rangeOf(start!, end!)
          open.change([{ range, text: insert }], 2)
          whole = whole.slice(0, start) + insert + whole.slice(end)
          expect(open.text).toBe(whole)
        }
      }),
    )
  })

  it('counts a character beyond the basic plane as two units of UTF-16 and four bytes of UTF-8', () => {
    expect(new OpenText('file:///a', 1, '😀b', 'utf-16').positionAt(2)).toEqual({ line: 0, character: 2 })
    expect(new OpenText('file:///a', 1, '😀b', 'utf-8').positionAt(2)).toEqual({ line: 0, character: 4 })
  })

  it('takes a place past the end of a line for its end', () => {
    const open = new OpenText('file:///a', 1, 'ab\r\ncd', 'utf-16')
    expect(open.offsetAt({ line: 0, character: 99 })).toBe(2)
    expect(open.offsetAt({ line: 9, character: 0 })).toBe(6)
  })
})
