import { describe, expect, test } from 'vitest'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { findEveryOccurrence, maskSpans } from '../../../engine/detect/lexer/mask.ts'
import type { CompiledRule } from '../../../engine/detect/rules/active-rules.ts'
import { growth, SQUARE } from '../../made/effort.ts'
import fc from '../../made/property.ts'

/** So many secrets, one a line, and a last line that repeats some: what masks them all. */
function hiddenOf(count: number): () => string {
  const values = Array.from({ length: count }, (_, i) => `value/${(i * 7919).toString(36).padStart(8, '0')}`)
  const encoded = Buffer.from(values[count - 1]!).toString('base64')
  const text = [...values, `again ${values[0]} and ${encoded}.`].join('\n')
  const secrets = values.map(value => ({ start: text.indexOf(value), end: text.indexOf(value) + value.length }))
  return () => maskSpans(text, findEveryOccurrence(secrets, text))
}

describe('masking', () => {
  test('shows the first and last four characters of a long secret and nothing of a short one', () => {
    expect(maskSpans('key=abcd0123456789efghWXYZ;', [{ start: 4, end: 26 }])).toBe('key=abcd**************WXYZ;')
    expect(maskSpans(`pw=${'hunter'}2!`, [{ start: 3, end: 11 }])).toBe('pw=********')
  })

  test('keeps the length, the line ends and all that is outside', () => {
    const span = fc.tuple(fc.nat(80), fc.nat(40)).map(([start, length]) => ({ start, end: start + length }))
    fc.assert(
      fc.property(
        fc.string({ minLength: 0, maxLength: 100, unit: fc.constantFrom('a', 'b', '\n', '\r', ' ') }),
        fc.array(span, { maxLength: 5 }),
        (text, spans) => {
          const inside = spans.map(({ start, end }) => ({
            start: Math.min(start, text.length),
            end: Math.min(end, text.length),
          }))
          const out = maskSpans(text, inside)
          expect(out).toHaveLength(text.length)
          for (let i = 0; i < text.length; i++) {
            const hidden = inside.some(({ start, end }) => i >= start && i < end)
            if (!hidden || text[i] === '\n' || text[i] === '\r') expect(out[i]).toBe(text[i])
          }
        },
      ),
    )
  })

  test('hides every place of each secret, as it is and as encodings write it, in files of thousands of them', () => {
    const out = hiddenOf(4000)().split('\n')
    expect(out[1234]).toBe('*'.repeat(14))
    expect(out[4000]).toBe(`again ${'*'.repeat(14)} and ${'*'.repeat(19)}=.`)
  })

  test('takes no more than in proportion to the secrets and the text', () => {
    const ready = new Map([2000, 8000].map(count => [count, hiddenOf(count)]))
    expect(growth(count => ready.get(count)!(), 2000)).toBeLessThan(SQUARE)
  })

  test('hides a secret in the snippets of every rule that fires on its line', () => {
    const rule = (id: string, regex: string, category: string) =>
      ({
        id,
        type: 'regex',
        regex,
        category,
        languages: ['any'],
        files: [],
        exclude_files: [],
        contexts: [],
        ignore_case: false,
        requirement: [],
      }) as unknown as CompiledRule
    const set = new RuleSet([rule('secret-x', 'tok_\\w+', 'secret'), rule('word-x', 'const', 'code')])
    const bytes = new TextEncoder().encode("const a = 'tok_0123456789abcdefghij'\n")
    const scan = scanFile(
      set,
      { path: 'a.js', language: 'javascript', in_test: false, bytes },
      { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 },
    )
    const snippets = scan.matches.map(({ snippet }) => snippet)
    expect(snippets).toHaveLength(2)
    for (const snippet of snippets) expect(snippet).toBe("const a = 'tok_****************ghij'")
  })
})
