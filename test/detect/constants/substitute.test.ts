import { expect, test } from 'vitest'
import { Positions } from '../../../engine/base/text/positions.ts'
import { substitute, toOwnPlaces } from '../../../engine/detect/constants/substitute.ts'
import fc from '../../made/property.ts'

const use = (start: number, end: number) => ({ kind: 'program' as const, name: 'x', start, end })

test('values stand in the code as the language writes them', () => {
  const put = (language: string, value: string | number | boolean) =>
    substitute(language, 'f(NAME)', [{ use: use(2, 6), value }])?.text
  expect(put('python', false)).toBe('f(False)')
  expect(put('java', 'a"\\b')).toBe('f("a\\"\\\\b")')
  expect(put('typescript', 'md5')).toBe("f('md5')")
  expect(put('php', "a'$b")).toBe("f('a\\'$b')")
  expect(put('go', 12)).toBe('f(12)')
  expect(put('kotlin', '$a')).toBeUndefined()
  expect(put('java', 'a\nb')).toBeUndefined()
})

test('places around values that were put in are those of the file itself', () => {
  const line = fc.array(fc.constantFrom('ab', ' ', 'NAME', 'é'), { maxLength: 6 }).map(parts => parts.join(''))
  const texts = fc.array(line, { minLength: 1, maxLength: 4 }).map(lines => lines.join('\n'))
  fc.assert(
    fc.property(texts, fc.constantFrom('', 'x', 'a longer value'), (text, value) => {
      const resolved = [...text.matchAll(/NAME/g)].map(({ index }) => ({ use: use(index, index + 4), value }))
      const made = substitute('java', text, resolved)
      expect(made === undefined).toBe(resolved.length === 0)
      if (!made) return
      const [own, positions] = [new Positions(text), new Positions(made.text)]
      expect(made.text.split('\n').length).toBe(text.split('\n').length)
      for (const [index, { index: at }] of [...made.text.matchAll(/"[^"\n]*"/g)].entries()) {
        const [start, end] = [positions.at(at), positions.at(at + value.length + 2)]
        const place = { line: start.line, column: start.column, end_line: end.line, end_column: end.column }
        const back = toOwnPlaces(place, made)
        const { use: wanted } = resolved[index]!
        expect([own.offset(back.line, back.column), own.offset(back.end_line, back.end_column)]).toEqual([
          wanted.start,
          wanted.end,
        ])
      }
    }),
  )
})
