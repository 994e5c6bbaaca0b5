import { describe, expect, test } from 'vitest'
import { blankComments, mapWithoutComments, removeComments } from '../../../engine/detect/lexer/without-comments.ts'

describe('A text of C without its comments', () => {
  test.each([
    ['has a space for each comment', 'a/* b\n */c // d\ne', 'a c  \ne'],
    ['is the text itself where there is none', 'a / b * c', 'a / b * c'],
    ['keeps what looks like one within a string', 'f("/* a */", "//b"); // c', 'f("/* a */", "//b");  '],
    ['keeps what looks like one behind an escaped quote', '"\\"//a" //b', '"\\"//a"  '],
    ['keeps what looks like one within a raw string', 'R"x(" // )x" /* a */', 'R"x(" // )x"  '],
    ['takes quotes within a comment for none', "/* don't */ a // it's\n'b'", "  a  \n'b'"],
    ['reads a string that is not closed to the end of its line', '"a // b\n// c\nd', '"a // b\n \nd'],
    ['reads a comment that is not closed to the end', 'a /* b /', 'a  '],
    ['does not close a comment with the star that opens it', '/*/ a */ b', '  b'],
  ])('%s', (_, text, bare) => {
    expect(removeComments(text)).toBe(bare)
  })

  test('has its characters in the place where the text has them', () => {
    const text = 'a/* b\n */c // d\ne'
    const origins = mapWithoutComments(text)
    expect([...removeComments(text)].map((sign, at) => sign === ' ' || text[origins.of(at)] === sign)).not.toContain(
      false,
    )
  })

  test('has as many characters and the same lines with comments blanked', () => {
    expect(blankComments('a/* b\r\n c */d // e\nf')).toBe('a    \r\n     d     \nf')
  })
})
