import { describe, expect, it } from 'vitest'
import { CALLS, CallIndex } from '../../../engine/detect/memory/call-index.ts'
import { Directives } from '../../../engine/detect/memory/directives.ts'
import { ALLOCATES, FREES, NUMBERS, READS_NUMBER } from '../../../engine/detect/memory/library.ts'
import fc from '../../made/property.ts'

const EXPRESSIONS: readonly (readonly [number, RegExp])[] = [
  [CALLS.ALLOCATES, new RegExp(`\\b(?:${Object.keys(ALLOCATES).join('|')})\\s*\\(`)],
  [CALLS.FREES, new RegExp(`\\b(?:${[...FREES].join('|')})\\s*\\(`)],
  [CALLS.NUMBERS, new RegExp(`\\b(?:${Object.keys({ ...NUMBERS, ...READS_NUMBER }).join('|')})\\s*\\(`)],
  [CALLS.SIZES, /\b\w*alloc\s*\(/],
]

describe('the calls of a text', () => {
  it('are those that expressions find in it', () => {
    const piece = fc.constantFrom(
      'free',
      'kfree',
      'malloc',
      'my_alloc',
      'read',
      'atoi',
      'x',
      '$',
      '_',
      ' ',
      '\n',
      '\u00a0',
      '(',
      '(',
      ')',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), pieces => {
        const text = pieces.join('')
        const kinds = new CallIndex(text, [{ start: 0, end: text.length }]).within({ start: 0, end: text.length })
        for (const [kind, expression] of EXPRESSIONS) expect((kinds & kind) !== 0, text).toBe(expression.test(text))
      }),
    )
  })

  it('are told of a part of it', () => {
    const index = new CallIndex('free(p); malloc(1); free(q);', [{ start: 0, end: 28 }])
    expect(index.within({ start: 5, end: 20 })).toBe(CALLS.ALLOCATES | CALLS.SIZES)
    expect(index.within({ start: 9, end: 28 })).toBe(CALLS.ALLOCATES | CALLS.SIZES | CALLS.FREES)
  })
})

it('directives are found where an expression over lines finds them', () => {
  const piece = fc.constantFrom('#', 'define', ' A', '(x)', ' ', '\t', '\n', '\r', '\\\n', '# define B(y) z')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), pieces => {
      const text = pieces.join('')
      const tail = String.raw`define[ \t]+(\w+)\(([^)\n]*)\)[ \t]*((?:\\\r?\n|[^\n])*)`
      const all = [...text.matchAll(new RegExp(String.raw`^[ \t]*#[ \t]*${tail}`, 'gm'))]
      const found = [...new Directives(text).match('define', new RegExp(tail, 'y'))]
      expect(found.map(each => each.slice(1))).toEqual(all.map(each => each.slice(1)))
    }),
  )
})
