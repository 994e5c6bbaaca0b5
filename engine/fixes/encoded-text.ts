import { isAscii } from 'node:buffer'
import { decode } from '../base/text/decode.ts'

/** A replacement in a text: offsets in UTF-16 units, the end exclusive. */
export interface Splice {
  start: number
  end: number
  text: string
}

/** A file's text, and the way back to its bytes. */
export interface EncodedText {
  /** Without a byte order mark. */
  text: string
  /** A byte order mark stands before it. */
  marked: boolean
  /** Whether the file's encoding has every character of a text. */
  canHold(text: string): boolean
  /**
   * The file's bytes with the replacements made, which are sorted and do not overlap. Every byte outside of them is as it
   * was: mark, encoding and line ends stay. Undefined where the bytes would not be read as the text they are meant to be.
   */
  splice(splices: readonly Splice[]): Uint8Array | undefined
}

/** How offsets in the text lead to bytes, and how text is written there. */
interface Form {
  /** Bytes of the mark in front. */
  mark: number
  size(text: string, from: number, to: number): number
  encode(text: string): Uint8Array | undefined
}

/**
 * Opens bytes as the text that the scanner reads in them (engine/base/text/decode). Undefined where places in the text
 * do not lead back to bytes: UTF-32, half a UTF-16 unit at the end, bytes that are not what the mark promises.
 */
export function openText(bytes: Uint8Array): EncodedText | undefined {
  const decoded = decode(bytes)
  if ('skip' in decoded) return undefined
  const { text, encoding } = decoded
  const form = formOf(bytes, encoding)
  if (form.mark + form.size(text, 0, text.length) !== bytes.length) return undefined
  return {
    text,
    marked: form.mark > 0,
    canHold: added => form.encode(added) !== undefined,
    splice: splices => spliceBytes(bytes, text, form, splices),
  }
}

function formOf(bytes: Uint8Array, encoding: string): Form {
  if (encoding === 'utf-8') {
    const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    return { mark, size: utf8Size, encode: utf8 }
  }
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    const big = encoding === 'utf-16be'
    const mark = (big ? bytes[0] === 0xfe && bytes[1] === 0xff : bytes[0] === 0xff && bytes[1] === 0xfe) ? 2 : 0
    return { mark, size: (_, from, to) => (to - from) * 2, encode: text => utf16(text, big) }
  }
  // A byte a character. That the encoding is windows-1252 is a guess, so only what every such encoding shares is written.
  return { mark: 0, size: (_, from, to) => to - from, encode: ascii }
}

function spliceBytes(bytes: Uint8Array, text: string, form: Form, splices: readonly Splice[]): Uint8Array | undefined {
  const parts: Uint8Array[] = []
  let offset = 0
  let at = 0
  let position = form.mark
  let wanted = ''
  for (const { start, end, text: replacement } of splices) {
    const encoded = form.encode(replacement)
    if (encoded === undefined) return undefined
    const from = position + form.size(text, offset, start)
    parts.push(bytes.subarray(at, from), encoded)
    wanted += text.slice(offset, start) + replacement
    position = from + form.size(text, start, end)
    at = position
    offset = end
  }
  parts.push(bytes.subarray(at))
  wanted += text.slice(offset)
  const spliced = Buffer.concat(parts)
  const again = decode(spliced)
  return 'text' in again && again.text === wanted ? spliced : undefined
}

function utf8Size(text: string, from: number, to: number): number {
  return Buffer.byteLength(text.slice(from, to))
}

function utf8(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text)
  return bytes.toString() === text ? bytes : undefined
}

function utf16(text: string, big: boolean): Uint8Array {
  const bytes = Buffer.from(text, 'utf16le')
  return big ? bytes.swap16() : bytes
}

function ascii(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text)
  return isAscii(bytes) ? bytes : undefined
}
