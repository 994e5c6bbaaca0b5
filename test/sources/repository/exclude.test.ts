import { expect, test } from 'vitest'
import { compileExcludes } from '../../../engine/sources/repository/exclude.ts'
import { effort } from '../../made/effort.ts'
import fc from '../../made/property.ts'

test.each([
  ['vendor', 'vendor', true],
  ['vendor', 'vendor/a/b.c', true],
  ['vendor/', 'vendor/a.c', true],
  ['./vendor/', 'vendor/a.c', true],
  ['/vendor', 'vendor/a.c', true],
  ['vendor/**', 'vendor/a.c', true],
  ['vendor', 'vendors/a.c', false],
  ['vendor', 'lib/vendor/a.c', false],
  ['**/vendor', 'lib/vendor/a.c', true],
  ['**/vendor/', 'vendor/a.c', true],
  ['*.min.js', 'a.min.js', true],
  ['*.min.js', 'lib/a.min.js', false],
  ['**/*.min.js', 'lib/a.min.js', true],
  ['src/*/gen', 'src/x/gen/deep/a.c', true],
  ['src/*/gen', 'src/x/y/gen/a.c', false],
  ['{a,b}/*.c', 'b/x.c', true],
  ['.hidden', '.hidden/a.c', true],
  ['**/*.c', '.hidden/a.c', true],
  ['app/(auth)', 'app/(auth)/page.tsx', true],
  ['app/[id]', 'app/[id]/page.tsx', true],
  ['a.c', 'abc', false],
  ['vendor/', 'vendor', false],
  ['vendor/', 'vendor/', true],
  ['vendor', 'vendor/', true],
  ['**/test*/**', 'lib/test.c', false],
  ['**/test*/**', 'lib/tests/a.c', true],
  ['**/test*/', 'tests/', true],
  ['**/test*', 'lib/test.c', true],
  ['src/[ab]/gen', 'src/b/gen/x.c', true],
  ['src/?.c', 'src/a.c', true],
  ['src/?.c', 'src/ab.c', false],
  ['**/*_{test,spec}.go', 'x/a_spec.go', true],
  ['**/gen', 'gen/a.c', true],
  ['*gen*/x', 'my-generated/x', true],
  ['**/x.c', 'line\nfeed/x.c', true],
])('the entry %s on %s: %s', (pattern, path, expected) => {
  expect(compileExcludes([pattern])(path)).toBe(expected)
})

test('no entry excludes nothing', () => {
  expect(compileExcludes([])('anything')).toBe(false)
})

test('any folder’s name, whatever its characters, excludes what is in it', () => {
  const part = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'ab.*?[]{}()|+^$\\# ') })
  fc.assert(
    fc.property(part, part, (folder, file) => {
      fc.pre(!/^[.!]|^\*\*$/.test(folder))
      expect(compileExcludes([folder])(`${folder}/${file}`)).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

test('an entry that would take an expression minutes costs nothing', () => {
  const excluded = compileExcludes([`${'*a'.repeat(30)}b`])
  expect(effort(() => expect(excluded(`${'a'.repeat(200)}c`)).toBe(false))).toBeLessThan(1000)
})

test.each(['!keep', '/!keep'])('the entry %s, which means to bring files back, is refused', pattern => {
  expect(() => compileExcludes(['a', pattern])).toThrow(JSON.stringify(pattern))
})

test.each(['', '/', '.', './', '**', '/**'])('the entry %j, which leaves nothing, is refused', pattern => {
  expect(() => compileExcludes([pattern])).toThrow('leaves nothing to scan')
})
