import { decode } from '../../base/text/decode.ts'

/** Turns a file's bytes into text piece by piece: no character is cut where a piece ends. */
export interface PieceDecoder {
  /** The text of the next bytes; `isLast` where none follow. */
  next(bytes: Uint8Array, isLast: boolean): string
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
  if (encoding !== 'windows-1252' && !encoding.startsWith('utf-32')) {
    const decoder = new TextDecoder(encoding)
    return { next: (bytes, isLast) => withoutNul(decoder.decode(bytes, { stream: !isLast })) }
  }
  let rest: Uint8Array = new Uint8Array(0)
  return {
    next(bytes, isLast) {
      const all = Buffer.concat([rest, bytes])
      const end = isLast ? all.length : all.length - (all.length % UNIT)
      rest = all.subarray(end)
      const text = decode(withMark(all.subarray(0, end), encoding))
      return 'text' in text ? text.text : ''
    },
  }
}

/** With the mark in front by which a piece is known for what the whole file is. */
function withMark(bytes: Uint8Array, encoding: string): Uint8Array {
  if (encoding === 'utf-32le') return Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), bytes])
  if (encoding === 'utf-32be') return Buffer.concat([Buffer.from([0, 0, 0xfe, 0xff]), bytes])
  return bytes
}

function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', ' ') : text
}
