import { expect, test } from 'vitest'
import {
  decodeStruct,
  encodeStruct,
  listIn,
  numberIn,
  setNumber,
  structIn,
} from '../../../engine/sources/store/thrift.ts'

// Written by hand after the protocol: field 1 is the i32 150; field 2 the text "ab"; field 20, too far for a short header, the truth; field 21
// a list of two structs, each with the i64 -1 as field 3.
const BYTES = Uint8Array.from([
  ...[0x15, 0xac, 0x02],
  ...[0x18, 0x02, 0x61, 0x62],
  ...[0x01, 0x28],
  ...[0x19, 0x2c, 0x36, 0x01, 0x00, 0x36, 0x01, 0x00],
  0x00,
])

test('a structure is read as the protocol has it, and written as it was', () => {
  const struct = decodeStruct(BYTES)
  expect(struct.map(({ id }) => id)).toEqual([1, 2, 20, 21])
  expect(numberIn(struct, 1)).toBe(150)
  expect(numberIn(struct, 4)).toBeUndefined()
  expect(listIn(struct, 21)!.map(each => numberIn(each, 3))).toEqual([-1, -1])
  expect(encodeStruct(struct)).toEqual(Buffer.from(BYTES))
})

test('a number is changed where it stands, and nothing else is', () => {
  const struct = decodeStruct(BYTES)
  setNumber(struct, 1, 5_000_000_000)
  const again = decodeStruct(encodeStruct(struct))
  expect(numberIn(again, 1)).toBe(5_000_000_000)
  expect(encodeStruct(again.slice(1))).toEqual(encodeStruct(decodeStruct(BYTES).slice(1)))
})

test('what is no structure, or another one than is asked for, is a RangeError', () => {
  expect(() => decodeStruct(BYTES.subarray(0, -1))).toThrow(RangeError)
  expect(() => decodeStruct(Uint8Array.from([...BYTES, 0]))).toThrow(RangeError)
  expect(() => decodeStruct(new Uint8Array(100).fill(0x1c))).toThrow(RangeError)
  expect(() => decodeStruct(Uint8Array.of(0x19, 0xf8, 0xff, 0xff, 0xff, 0x0f, 0))).toThrow(RangeError)
  const struct = decodeStruct(BYTES)
  expect(() => structIn(struct, 1)).toThrow(RangeError)
  expect(() => numberIn(struct, 2)).toThrow(RangeError)
  expect(() => numberIn(struct, 21)).toThrow(RangeError)
})
