import { describe, expect, it } from 'vitest'
import { checkBacktracking, hasAmbiguousLoop } from '../../../engine/sources/packs/backtracking.ts'
import fc from '../../made/property.ts'

describe('an expression that takes exponential time', () => {
  it.each([
    '(a+)+$',
    '(a|a)*b',
    '(?:a|aa)+$',
    String.raw`(\w+\s?)*$`,
    '(?:a?){30}a{30}$',
    String.raw`((a)\2?)+$`,
    '(?:(?:ab?c?)+x?)+$',
  ])('%s has a loop that matches one text in two ways', source => expect(hasAmbiguousLoop(source)).toBe(true))

  it('is named with a text that shows it', async () => {
    expect(await checkBacktracking('(a+)+$', false, 10_000)).toMatchObject({
      kind: 'exponential',
      attack: expect.any(String),
    })
  })
})

it('a loop over a sequence that matches in one way has none', () => {
  for (const source of ['(?:ab)+$', 'a+b*c{0,30}', String.raw`(?:\d\d:){2,9}\w+`, '(?:[ab]c)*(?:[ab]c)*$', '(?:a|b)c'])
    expect(hasAmbiguousLoop(source), source).toBe(false)
})

it('no expression without such a loop is exponential by the analysis of recheck', async () => {
  const { default: recheck } = await import('recheck/lib/browser.js')
  const atom = fc.constantFrom('a', 'b', '[ab]', '.', String.raw`\w`)
  const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2}', '{0,5}')
  const part = fc.oneof(
    fc.tuple(atom, quantifier).map(([one, times]) => one + times),
    fc
      .tuple(fc.array(atom, { minLength: 1, maxLength: 3 }), quantifier)
      .map(([inner, times]) => `(?:${inner.join('')})${times}`),
  )
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), parts => {
      const source = `${parts.join('')}$`
      expect(hasAmbiguousLoop(source)).toBe(false)
      const found = recheck.checkSync(source, 'mu', { timeout: 200 })
      expect(found.status === 'vulnerable' ? found.complexity.type : '').not.toBe('exponential')
    }),
    { numRuns: 15 },
  )
})
