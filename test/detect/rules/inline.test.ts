import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../../engine/base/languages/languages.ts'
import { findInlineSuppressions } from '../../../engine/detect/rules/inline.ts'
import { growth, SQUARE } from '../../made/effort.ts'
import fc from '../../made/property.ts'

const one = (language: string, text: string) => {
  const found = findInlineSuppressions(language, text)
  expect(found).toHaveLength(1)
  return found[0]!
}

describe('an inline suppression', () => {
  test('behind code covers that line alone', () => {
    expect(findInlineSuppressions('javascript', 'a()\nb() // svc-ignore: js-eval -- input is checked\nc()')).toEqual([
      { line: 2, last_line: 2, rules: ['js-eval'], reason: 'input is checked' },
    ])
  })

  test('with its line to itself covers the next line too', () => {
    expect(one('python', 'a\n  # svc-ignore: py-a -- why\nb')).toMatchObject({ line: 2, last_line: 3 })
  })

  test('in a block comment of several lines covers the line behind the comment', () => {
    expect(one('c', '/* svc-ignore: c-a -- why\n * more\n */\ncode')).toMatchObject({ line: 1, last_line: 4 })
    expect(one('java', '/**\n * svc-ignore: j-a -- why\n */\ncode')).toMatchObject({
      line: 2,
      last_line: 4,
      reason: 'why',
    })
  })

  test('below another one covers the same code as that', () => {
    const text = '# svc-ignore: a -- x\n# svc-ignore: b -- y\ncode'
    expect(findInlineSuppressions('python', text).map(ignore => ignore.last_line)).toEqual([3, 3])
  })

  test('is no more than its own line where code stands between', () => {
    const text = '# svc-ignore: a -- x\ncode\n# svc-ignore: b -- y\ncode'
    expect(findInlineSuppressions('python', text).map(ignore => ignore.last_line)).toEqual([2, 4])
  })

  test('may name several rules', () => {
    expect(one('go', '// svc-ignore: a-1,b.2 , c/3 -- why')).toMatchObject({
      rules: ['a-1', 'b.2', 'c/3'],
      reason: 'why',
    })
  })

  test('may have a reason with dashes in it', () => {
    expect(one('go', '// svc-ignore: a -- see X -- and Y').reason).toBe('see X -- and Y')
  })

  test.each([
    ['without a reason', '# svc-ignore: py-a', 'of py-a gives no reason behind " -- "'],
    ['with an empty reason', '# svc-ignore: py-a -- ', 'of py-a gives no reason behind " -- "'],
    ['without a rule', '# svc-ignore: -- why', 'names no rule'],
    ['with rules that no comma separates', '# svc-ignore: a b -- why', 'names "a b", which is not a rule id'],
    ['with a pattern of rules', '# svc-ignore: py-* -- why', 'names "py-*", which is not a rule id'],
  ])('%s does not hold, and says why', (_, text, fault) => {
    expect(one('python', text).fault).toBe(fault)
  })

  test.each([
    ['html', '<!-- svc-ignore: a -- why -->'],
    ['css', '/* svc-ignore: a -- why */'],
    ['tsx', '{/* svc-ignore: a -- why */}'],
    ['lua', '--[[ svc-ignore: a -- why ]]'],
    ['ocaml', '(* svc-ignore: a -- why *)'],
    ['haskell', '{- svc-ignore: a -- why -}'],
    ['jinja', '{# svc-ignore: a -- why #}'],
    ['sql', '-- svc-ignore: a -- why'],
    ['vb', 'REM svc-ignore: a -- why'],
    ['yaml', '# svc-ignore: a -- why\r'],
  ])('in %s is read without the marks of the comment', (language, text) => {
    expect(one(language, text)).toMatchObject({ rules: ['a'], reason: 'why', last_line: 2 })
  })

  test('in a string literal is none', () => {
    expect(
      findInlineSuppressions('javascript', 'a = "// svc-ignore: a -- why"\nb = `\n// svc-ignore: a -- why\n`'),
    ).toEqual([])
    expect(findInlineSuppressions('python', '"""\n# svc-ignore: a -- why\n"""')).toEqual([])
  })

  test('that a sentence quotes is none', () => {
    expect(findInlineSuppressions('go', '// write svc-ignore: a -- why\n// or `svc-ignore: a -- why`')).toEqual([])
  })

  test('in code is none', () => {
    expect(findInlineSuppressions('bash', 'echo svc-ignore: a -- why')).toEqual([])
  })

  test('in a language without known comments needs a mark before it', () => {
    const text = 'a\n# svc-ignore: a -- why\nsvc-ignore: a -- why'
    expect(findInlineSuppressions('text', text)).toEqual([{ line: 2, last_line: 3, rules: ['a'], reason: 'why' }])
  })

  test.each([
    ['before the reason', '# svc-ignore: a', 'x'],
    ['in the reason', '# svc-ignore: a -- b', 'c'],
    ['at the end of a comment', '/* svc-ignore: a -- b', 'c */'],
    ['before the directive', '/*\n', 'a svc-ignore: a -- b */'],
  ])('is read in time linear to a hundred thousand blanks %s', (_, before, after) => {
    const read = (blanks: number) => {
      for (const language of ['c', 'python']) findInlineSuppressions(language, `${before}${' '.repeat(blanks)}${after}`)
    }
    expect(growth(read, 100_000)).toBeLessThan(SQUARE)
  })

  test('is found in any text without a failure, in order, with lines that exist', () => {
    const parts = fc.constantFrom(
      'svc-ignore:',
      ' a',
      ',',
      ' -- ',
      'why',
      '\n',
      '#',
      '//',
      '/*',
      '*/',
      '"',
      "'",
      '<!--',
      '-->',
      ' ',
    )
    fc.assert(
      fc.property(fc.constantFrom(...LANGUAGES.keys()), fc.array(parts, { maxLength: 40 }), (language, array) => {
        const text = array.join('')
        let last = 0
        for (const { line, last_line, fault, rules, reason } of findInlineSuppressions(language, text)) {
          expect(line).toBeGreaterThanOrEqual(last)
          expect(last_line).toBeGreaterThanOrEqual(line)
          expect(last_line).toBeLessThanOrEqual(text.split('\n').length + 1)
          expect(fault === undefined).toBe(
            rules.length > 0 && reason !== '' && rules.every(id => /^[A-Za-z0-9][\w./:-]*$/.test(id)),
          )
          last = line
        }
      }),
      { numRuns: 500 },
    )
  })
})
