import { expect, it } from 'vitest'
import { isCompared } from '../../../engine/detect/memory/comparisons.ts'
import fc from '../../made/property.ts'

const EXPRESSION = new RegExp(
  [
    String.raw`\ba\s*\)*\s*(?:[<>/%](?!<)|[=!]=|\?)`,
    String.raw`(?:[^-<][<>]=?|[/%]|[=!]=)\s*\(*\s*a\b`,
    String.raw`[(!&|]\s*!\s*a\b`,
    String.raw`\bif\s*\(\s*a\s*\)`,
    String.raw`\w*(?:overflow|check|valid|assert|max|min|limit|clamp)\w*\s*\([^;]{0,200}\ba\b`,
  ].join('|'),
  'i',
)

it('a name is compared where an expression over the text finds it so', () => {
  const signs = fc.constantFrom(...' \n()<>=!&|-/%?;,.')
  const words = fc.constantFrom('a', 'A', 'a', 'b', 'if', 'IF', 'max', 'is_valid', 'my_check_')
  fc.assert(
    fc.property(fc.array(fc.oneof(signs, words), { maxLength: 14 }), pieces => {
      const text = pieces.join('')
      expect(isCompared(text, 'a'), text).toBe(EXPRESSION.test(text))
    }),
  )
})
