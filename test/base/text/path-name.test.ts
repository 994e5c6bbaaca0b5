import { expect, test } from 'vitest'
import { encodePath, parsePathName, toSystemPath } from '../../../engine/base/text/path-name.ts'
import fc from '../../made/property.ts'

/** Bytes as names have them, with much of what makes escaping hard. */
const name = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 3 }),
      fc
        .constantFrom('\\', '\\\\', '\\x', '\\xff', 'ff', '\\xé', 'a/b', 'ü', '日本', '\n')
        .map(text => Buffer.from(text)),
    ),
    { maxLength: 8 },
  )
  .map(parts => Uint8Array.from(Buffer.concat(parts)))

test('every name’s text gives its bytes again', () => {
  fc.assert(
    fc.property(name, bytes => {
      expect(Uint8Array.from(encodePath(parsePathName(bytes).path))).toEqual(bytes)
    }),
    { numRuns: 2000 },
  )
})

test('two names never have the same text', () => {
  fc.assert(
    fc.property(name, name, (a, b) => {
      expect(parsePathName(a).path === parsePathName(b).path).toBe(Buffer.from(a).equals(Buffer.from(b)))
    }),
    { numRuns: 2000 },
  )
})

test('the bytes are kept exactly where the text is not just their UTF-8, in a buffer of their own', () => {
  fc.assert(
    fc.property(name, bytes => {
      const { path, raw } = parsePathName(Buffer.concat([Buffer.from('around'), bytes]).subarray(6))
      const exact = Buffer.from(path).equals(Buffer.from(bytes))
      expect(raw).toEqual(exact ? undefined : bytes)
      expect(raw?.buffer.byteLength).toBe(exact ? undefined : bytes.length)
    }),
  )
})

test('a name reads as a person would write it', () => {
  const shown = (bytes: Buffer) => parsePathName(bytes).path
  expect(shown(Buffer.from('src/ä b.c'))).toBe('src/ä b.c')
  expect(shown(Buffer.from('a\\b.c'))).toBe('a\\b.c')
  expect(shown(Buffer.from('caf\xe9\\.c', 'latin1'))).toBe('caf\\xe9\\\\.c')
  expect(shown(Buffer.from('dev\\x2d1.conf'))).toBe('dev\\\\x2d1.conf')
})

test('an overlong or cut-off sequence is bytes, not text', () => {
  expect(parsePathName(Uint8Array.from([0xc0, 0xaf])).path).toBe('\\xc0\\xaf')
  expect(parsePathName(Uint8Array.from([0x61, 0xe2, 0x82])).path).toBe('a\\xe2\\x82')
})

test('the file system is given text where that is exact, and bytes elsewhere', () => {
  expect(toSystemPath('/r', { path: 'a/b' })).toBe('/r/a/b')
  expect(toSystemPath('/r', { path: '\\xff', raw: Uint8Array.from([0xff]) })).toEqual(
    Buffer.from([0x2f, 0x72, 0x2f, 0xff]),
  )
})
