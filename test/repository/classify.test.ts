import fc from 'fast-check'
import { expect, test } from 'vitest'
import { classify } from '../../engine/repository/classify.ts'

const text = (value: string) => Buffer.from(value)

test('text is for scanning, with or without an end of line, also when empty', () => {
  expect(classify(text('int a;\n'), 'a.c', 'c')).toBeUndefined()
  expect(classify(text(''), 'a.js', 'javascript')).toBeUndefined()
  expect(classify(text('caf\xe9'), 'a.txt', null)).toBeUndefined()
})

test('a NUL in the first 8 KiB is binary, with its place', () => {
  expect(classify(text('\x7fELF\0\0'), 'a', null)).toEqual({ reason: 'binary', detail: 'a NUL at byte 4' })
  expect(classify(text(`${'x'.repeat(8191)}\0`), 'a', null)).toMatchObject({ reason: 'binary' })
  expect(classify(text(`${'x'.repeat(8192)}\0`), 'a', null)).toBeUndefined()
})

test('UTF-16 text is not binary, with a mark or without', () => {
  const source = 'public class Größe { }\r\n'
  expect(classify(Buffer.from(source, 'utf16le'), 'a.cs', 'csharp')).toBeUndefined()
  expect(classify(Buffer.from(source, 'utf16le').swap16(), 'a.cs', 'csharp')).toBeUndefined()
  expect(classify(Buffer.from(`\ufeff${source}`, 'utf16le'), 'a.cs', 'csharp')).toBeUndefined()
})

test('binary data that looks a little like UTF-16 is binary', () => {
  const small = Buffer.from(Uint16Array.from({ length: 500 }, (_, at) => at % 200).buffer)
  const sound = Buffer.from(Int16Array.from({ length: 500 }, (_, at) => Math.round(Math.sin(at) * 300)).buffer)
  const wide = Buffer.from(Uint32Array.from({ length: 500 }, (_, at) => 97 + (at % 20)).buffer)
  for (const bytes of [small, sound, wide]) expect(classify(bytes, 'a', null)).toMatchObject({ reason: 'binary' })
})

test('a long line in a language that is minified makes a file minified, with the figures', () => {
  const line = 'var a=1;'.repeat(1000)
  expect(classify(text(line), 'a.js', 'javascript')).toEqual({
    reason: 'minified',
    detail: 'longest line 8000 bytes, 8000 on average',
  })
  expect(classify(text(`/* licence */\n${line}\n`), 'a.css', 'css')).toMatchObject({ reason: 'minified' })
})

test('the same line is scanned in a language that nobody minifies', () => {
  expect(classify(text('int a=1;'.repeat(1000)), 'a.c', 'c')).toBeUndefined()
})

test('one long line among many written ones does not hide them', () => {
  const written = 'const a = require("a")\n'.repeat(500)
  expect(
    classify(text(`${written}const data = "${'x'.repeat(9000)}"\n${written}`), 'a.js', 'javascript'),
  ).toBeUndefined()
})

test('a name that says minified counts only where the lines say so too', () => {
  expect(classify(text('const a = 1\n'.repeat(100)), 'a.min.js', 'javascript')).toBeUndefined()
  expect(classify(text(`${'a=1;'.repeat(100)}\n`.repeat(3)), 'a.min.js', 'javascript')).toMatchObject({
    reason: 'minified',
  })
  expect(classify(text(`${'a=1;'.repeat(100)}\n`.repeat(3)), 'a.js', 'javascript')).toBeUndefined()
})

test('whatever the lines, a file is minified exactly where a line is over 5,000 bytes and the mean is 500 or more', () => {
  const lines = fc.array(
    fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 4990, max: 5010 }), fc.constant(20_000)),
    {
      minLength: 1,
      maxLength: 60,
    },
  )
  fc.assert(
    fc.property(lines, fc.boolean(), (lengths, ended) => {
      const content = lengths.map(length => 'x'.repeat(length)).join('\n') + (ended ? '\n' : '')
      fc.pre(content !== '' && (ended || lengths.at(-1)! > 0))
      const expected = Math.max(...lengths) > 5000 && Math.round(content.length / lengths.length) >= 500
      expect(classify(text(content), 'a.js', 'javascript')?.reason).toBe(expected ? 'minified' : undefined)
    }),
    { numRuns: 500 },
  )
})

test("a bundler's hash in the name is such a name; a version or a word is none", () => {
  const lines = text(`${'a=1;'.repeat(40)}\n`.repeat(50))
  for (const path of ['assets/chunk.972.4b8c97f93d66db15.js', 'dist/index-CSjOwpT9.js'])
    expect(classify(lines, path, 'javascript'), path).toMatchObject({ reason: 'minified' })
  for (const path of ['lib/jquery-3.6.0.js', 'src/user-settings.js', 'src/vector2.js'])
    expect(classify(lines, path, 'javascript'), path).toBeUndefined()
  expect(classify(text('const a = 1\n'.repeat(100)), 'dist/index-CSjOwpT9.js', 'javascript')).toBeUndefined()
})
