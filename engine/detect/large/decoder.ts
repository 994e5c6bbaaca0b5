import { isAscii } from 'node:buffer'
import { decode } from '../../base/text/decode.ts'

/** Turns a file's bytes into UTF-8 without NULs and without a byte order mark, piece by piece: no character is cut where a piece of the file ends. */
export interface PieceDecoder {
  /** The next bytes in UTF-8, as they are where they are plain ASCII; `isLast` where none follow. */
  next(bytes: Uint8Array, isLast: boolean): Uint8Array
}

/** Bytes of the longest unit that a piece may be cut in. */
const UNIT = 4

/**
 * A decoder for a file that begins with `head`, by the encoding that decides for the head. Undefined where that cannot be told: what is
 * declared is unknown and the bytes are no UTF-8.
 */
export function makePieceDecoder(head: Uint8Array, declared?: string): PieceDecoder | undefined {
  const decoded = decode(head, declared)
  if (!('text' in decoded)) return undefined
  const { encoding } = decoded
  if (encoding !== 'windows-1252' && !encoding.startsWith('utf-32')) return makeStreaming(encoding)
  let rest: Uint8Array = new Uint8Array(0)
  return {
    next(bytes, isLast) {
      const all = Buffer.concat([rest, bytes])
      const end = isLast ? all.length : all.length - (all.length % UNIT)
      rest = all.subarray(end)
      const text = decode(withMark(all.subarray(0, end), encoding))
      return Buffer.from('text' in text ? text.text : '')
    },
  }
}

function makeStreaming(encoding: string): PieceDecoder {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let isFirst = true
  /** The last piece may have ended within a character. */
  let isWithin = false
  return {
    next(bytes, isLast) {
      // What nearly all large files are made of need not become a text, of two bytes a character, and bytes again.
      const isPlain = encoding === 'utf-8' && !isWithin && isAscii(bytes) && !bytes.includes(0)
      // A mark further on is none: it is a character.
      if (!isPlain) decoder ??= new TextDecoder(encoding, { ignoreBOM: !isFirst })
      isFirst = false
      if (isPlain) return bytes
      if (bytes.length > 0) isWithin = bytes.at(-1)! > 0x7f
      return Buffer.from(decoder!.decode(bytes, { stream: !isLast }).replaceAll('\0', ' '))
    },
  }
}

/** With the mark in front by which a piece is known for what the whole file is. */
function withMark(bytes: Uint8Array, encoding: string): Uint8Array {
  if (encoding === 'utf-32le') return Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), bytes])
  if (encoding === 'utf-32be') return Buffer.concat([Buffer.from([0, 0, 0xfe, 0xff]), bytes])
  return bytes
}
