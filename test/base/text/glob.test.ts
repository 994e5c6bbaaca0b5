import picomatch from 'picomatch'
import { describe, expect, test } from 'vitest'
import { compileGlob } from '../../../engine/base/text/glob.ts'
import { effort } from '../../made/effort.ts'
import fc from '../../made/property.ts'

describe('a glob', () => {
  test.each([
    ['*.js', 'a.js', true],
    ['*.js', 'src/a.js', false],
    ['**/*.js', 'a.js', true],
    ['**/*.js', 'src/x/a.js', true],
    ['src/**', 'src/a/b', true],
    ['src/**/a', 'src/a', true],
    ['src/**/a', 'src/x/y/a', true],
    ['src/**/a', 'src/xa', false],
    ['**', '.github/a.yml', true],
    ['*', '.env', true],
    ['a?c', 'abc', true],
    ['a?c', 'a/c', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[!a]b', '/b', false],
    ['*.{js,ts}', 'a.ts', true],
    ['{a,b/{c,d}}/e', 'b/d/e', true],
    ['a{b', 'a{b', true],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['a[b', 'a[b', true],
    ['a+(b)', 'a+(b)', true],
    ['é*', 'été', true],
    ['é*', 'éa', true],
    ['', '', true],
    ['', 'a', false],
  ])('%j takes %j: %s', (glob, path, expected) => {
    expect(compileGlob(glob)(path)).toBe(expected)
  })

  test('means what it means to picomatch', () => {
    const glob = fc
      .array(fc.constantFrom('a', 'b', '.js', '*', '**', '/', '?', '/**/', '**/', '/**'), {
        minLength: 1,
        maxLength: 6,
      })
      .map(p => p.join(''))
    const path = fc
      .array(fc.constantFrom('a', 'b', '.js', '/', 'ab'), { minLength: 1, maxLength: 7 })
      .map(p => p.join(''))
    const plain = (text: string) => !/^\/|\/\/|\/$/.test(text)
    fc.assert(
      fc.property(
        glob.filter(g => plain(g) && !/\*\*\*|[^/]\*\*|\*\*[^/]|\/\*\*$/.test(g)),
        path.filter(plain),
        (g, p) => {
          expect(compileGlob(g)(p), `${g} on ${p}`).toBe(picomatch(g, { dot: true, strictSlashes: true })(p))
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('costs no more than its length times that of the path', () => {
    const path = 'a'.repeat(4_000)
    const globs = [
      `${'*a'.repeat(20)}c`,
      `${'**/'.repeat(20)}c`,
      `${'{a,b}'.repeat(20)}c`,
      '{'.repeat(900),
      '[a'.repeat(400),
      `{${','.repeat(100_000)}`,
      `{${','.repeat(100_000)}}c`,
      `${'{a,}'.repeat(20_000)}c`,
    ]
    for (const glob of globs)
      expect(
        effort(() => expect(compileGlob(glob)(path)).toBe(false)),
        glob.slice(0, 20),
      ).toBeLessThan(2000)
  })
})
