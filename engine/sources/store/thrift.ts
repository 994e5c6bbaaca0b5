/**
 * Thrift's compact protocol (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md), as far as it must be
 * understood to change a few numbers of a structure: what is not asked for stays the bytes that it is.
 */

const TYPE = {
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  struct: 12,
} as const

export interface Field {
  id: number
  type: number
  value: Value
}

export type Struct = Field[]

export interface List {
  of: number
  items: Value[]
}

/** A number, a text and the like is its encoding, a struct its fields. */
export type Value = Uint8Array | Struct | List

/** Deeper than any structure that is asked for. */
const MOST_DEEP = 16

/** Reads one struct, which takes all of the bytes. Throws RangeError where they are none. */
export function decodeStruct(bytes: Uint8Array): Struct {
  const reader = new Reader(bytes)
  const struct = reader.struct(0)
  if (reader.at !== bytes.length) throw new RangeError('There is more than one structure.')
  return struct
}

export function encodeStruct(struct: Struct): Buffer {
  const out: Uint8Array[] = []
  writeStruct(struct, out)
  return Buffer.concat(out)
}

/** The field's value as a struct, a list of structs, a number; undefined where there is no such field. Throws RangeError where it is something else. */
export function structIn(struct: Struct, id: number): Struct | undefined {
  const value = find(struct, id)?.value
  if (value !== undefined && !Array.isArray(value)) throw new RangeError('This is no structure.')
  return value
}

export function listIn(struct: Struct, id: number): Struct[] | undefined {
  const value = find(struct, id)?.value
  if (value === undefined) return undefined
  if (!('items' in value) || !value.items.every(Array.isArray)) throw new RangeError('This is no list of structures.')
  return value.items as Struct[]
}

export function numberIn(struct: Struct, id: number): number | undefined {
  const field = find(struct, id)
  if (field === undefined) return undefined
  const { type, value } = field
  const isNumber = type === TYPE.i16 || type === TYPE.i32 || type === TYPE.i64
  if (!(isNumber && value instanceof Uint8Array)) throw new RangeError('This is no number.')
  return zigzag(new Reader(value).varint())
}

/** Puts another number in the place of a field's, which must be there; it is not negative. */
export function setNumber(struct: Struct, id: number, number: number): void {
  const out: number[] = []
  writeVarint(number * 2, out)
  find(struct, id)!.value = Uint8Array.from(out)
}

function find(struct: Struct, id: number): Field | undefined {
  return struct.find(field => field.id === id)
}

class Reader {
  at = 0
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  struct(depth: number): Struct {
    if (depth > MOST_DEEP) throw new RangeError('It is nested too deeply.')
    const fields: Struct = []
    let id = 0
    for (;;) {
      const head = this.#byte()
      if (head === 0) return fields
      const delta = head >> 4
      id = delta === 0 ? zigzag(this.varint()) : id + delta
      const type = head & 15
      // The value of a field that is true or false is its type.
      const value = type === TYPE.true || type === TYPE.false ? new Uint8Array(0) : this.#value(type, depth)
      fields.push({ id, type, value })
    }
  }

  varint(): number {
    let number = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#byte()
      number += (byte & 127) * scale
      if (!Number.isSafeInteger(number)) throw new RangeError('A number is too large.')
      if (byte < 128) return number
    }
  }

  #value(type: number, depth: number): Value {
    if (type === TYPE.struct) return this.struct(depth + 1)
    if (type === TYPE.list || type === TYPE.set) return this.#list(depth + 1)
    const start = this.at
    if (type === TYPE.true || type === TYPE.false || type === TYPE.byte) this.#skip(1)
    else if (type === TYPE.i16 || type === TYPE.i32 || type === TYPE.i64) this.varint()
    else if (type === TYPE.double) this.#skip(8)
    else if (type === TYPE.binary) this.#skip(this.varint())
    else throw new RangeError('A value is of an unknown type.')
    return this.#bytes.subarray(start, this.at)
  }

  #list(depth: number): List {
    if (depth > MOST_DEEP) throw new RangeError('It is nested too deeply.')
    const head = this.#byte()
    const count = head >> 4 === 15 ? this.varint() : head >> 4
    if (count > this.#bytes.length) throw new RangeError('A list is longer than the bytes.')
    const of = head & 15
    return { of, items: Array.from({ length: count }, () => this.#value(of, depth)) }
  }

  #byte(): number {
    this.#skip(1)
    return this.#bytes[this.at - 1]!
  }

  #skip(count: number): void {
    this.at += count
    if (this.at > this.#bytes.length) throw new RangeError('The bytes end too early.')
  }
}

function zigzag(number: number): number {
  return number % 2 === 0 ? number / 2 : -(number + 1) / 2
}

function writeStruct(struct: Struct, out: Uint8Array[]): void {
  let before = 0
  for (const { id, type, value } of struct) {
    const delta = id - before
    if (delta > 0 && delta < 16) out.push(Uint8Array.of((delta << 4) | type))
    else {
      const head = [type]
      writeVarint(id < 0 ? -id * 2 - 1 : id * 2, head)
      out.push(Uint8Array.from(head))
    }
    before = id
    writeValue(value, out)
  }
  out.push(Uint8Array.of(0))
}

function writeValue(value: Value, out: Uint8Array[]): void {
  if (value instanceof Uint8Array) out.push(value)
  else if (Array.isArray(value)) writeStruct(value, out)
  else {
    const { of, items } = value
    const head = [(Math.min(items.length, 15) << 4) | of]
    if (items.length >= 15) writeVarint(items.length, head)
    out.push(Uint8Array.from(head))
    for (const item of items) writeValue(item, out)
  }
}

function writeVarint(number: number, out: number[]): void {
  let left = number
  while (left >= 128) {
    out.push((left % 128) | 128)
    left = Math.floor(left / 128)
  }
  out.push(left)
}
