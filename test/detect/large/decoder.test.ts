import { expect, it } from 'vitest'
import { makePieceDecoder } from '../../../engine/detect/large/decoder.ts'

/** The text of pieces one after the other, each of so many bytes. */
function read(bytes: Buffer, size: number): string {
  const decoder = makePieceDecoder(bytes)!
  const parts: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += size) parts.push(decoder.next(bytes.subarray(at, at + size), false))
  return Buffer.concat([...parts, decoder.next(new Uint8Array(0), true)]).toString()
}

const TEXT = 'plain, größe, 語言 and 😀 twice: 😀'

it.each([1, 2, 3, 5, 64])('a character that ends in another piece of %i bytes is whole', size => {
  expect(read(Buffer.from(TEXT), size)).toBe(TEXT)
  expect(read(Buffer.from(`\ufeff${TEXT}`, 'utf16le'), size)).toBe(TEXT)
})

it('a byte order mark is no part of the text where it begins, and a character of it further on', () => {
  expect(read(Buffer.from('\ufeffplain\ufeffplain'), 8)).toBe('plain\ufeffplain')
  expect(read(Buffer.from('a plain\n\ufeffplain'), 8)).toBe('a plain\n\ufeffplain')
})

it('a NUL is a space', () => {
  expect(read(Buffer.from('plain\0words'), 4)).toBe('plain words')
})

it('plain ASCII is handed on as the bytes that it is', () => {
  const bytes = Buffer.from('plain words')
  expect(makePieceDecoder(bytes)!.next(bytes, false)).toBe(bytes)
})

it('what is left of a character is a replacement before the plain text that follows, and at the end', () => {
  const cut = Buffer.from([0xe8, 0xaa])
  const decoder = makePieceDecoder(Buffer.from('größe'))!
  const parts = [decoder.next(cut, false), decoder.next(Buffer.from('plain'), false), decoder.next(cut, false)]
  expect(Buffer.concat([...parts, decoder.next(new Uint8Array(0), true)]).toString()).toBe('\ufffdplain\ufffd')
})
