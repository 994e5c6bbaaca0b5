import { describe, expect, it } from 'vitest'
import { findVicinity } from '../../../engine/detect/regex/vicinity.ts'
import { findWindows } from '../../../engine/detect/regex/windows.ts'
import fc from '../../made/property.ts'

const raw = String.raw

describe('where an expression can match', () => {
  it.each([
    [raw`\beval\([^\n]*x`, { literals: ['eval('], lines: 0, runs: 0 }],
    [raw`eval\(\n\s*x`, { literals: ['eval('], lines: 2, runs: 1 }],
    [raw`(?:open|close)Door\(\s{0,3}`, { literals: ['Door('], lines: 3, runs: 0 }],
    [raw`Open(?=[^;]{0,20})`, { literals: ['Open'], lines: 20, runs: 0 }],
  ])('%s is near its literals', (source, vicinity) => expect(findVicinity(source, false)).toEqual(vicinity))

  it.each([raw`eval\([^;]*x`, raw`eval(?:a\n)*`, raw`eval[^]{0,900}x`, raw`\w+=\d`])('%s may be anywhere', source =>
    expect(findVicinity(source, false)).toBeUndefined(),
  )

  it('is not known where the case of letters does not count', () => expect(findVicinity('eval', true)).toBeUndefined())
})

/** All matches in the parts of a text in which it is looked for. */
function near(source: string, text: string): [number, string][] {
  const windows = findWindows(text, findVicinity(source, false)!) ?? [{ start: 0, end: text.length }]
  return windows.flatMap(({ start, end }) =>
    [...text.slice(start, end).matchAll(new RegExp(source, 'gmu'))].map(({ index, 0: found }): [number, string] => [
      start + index,
      found,
    ]),
  )
}

it('in its vicinity an expression matches what it matches in the text', () => {
  const sources = [
    raw`^\s*evil\b[^\n]*$`,
    raw`(?<=a\n)evil\s+a`,
    raw`evil\n\n?a|b evil`,
    raw`(?<!b{1,3})evil(?!\n[ab])`,
    raw`\w*evil;?(?![^])`,
    raw`^(?:evil|a evil)$`,
  ]
  const piece = fc.constantFrom('evil', 'evil', 'a', 'b', ' ', '\n', '\n', ';', '\n\n\n', 'ab ba\n')
  const text = fc
    .array(piece, { maxLength: 80 })
    .map(pieces => `${'ab\n'.repeat(40)}${pieces.join('')}${'\nba'.repeat(40)}`)
  fc.assert(
    fc.property(fc.constantFrom(...sources), text, (source, code) => {
      const all = [...code.matchAll(new RegExp(source, 'gmu'))].map(({ index, 0: found }) => [index, found])
      expect(near(source, code)).toEqual(all)
    }),
  )
})

it('most of a long text is passed over', () => {
  const text = `${'a line\n'.repeat(1000)}evil\n${'a line\n'.repeat(1000)}`
  const windows = findWindows(text, findVicinity('evil', false)!)!
  expect(windows).toHaveLength(1)
  expect(windows[0]!.end - windows[0]!.start).toBeLessThan(30)
})
