import { isAscii, isUtf8 } from 'node:buffer'
import type { SkipReason } from './source-file.ts'

export interface Decoded {
  /** Without a byte order mark: offset 0 is the first character that a person sees. */
  text: string
  /** Lower-case label of the WHATWG Encoding Standard; ASCII is `utf-8`. */
  encoding: string
}

/** Bytes that are looked at to tell UTF-16 without a byte order mark from binary data. */
const SAMPLE = 4096

/** Of the pairs in UTF-16 text, at least this share is ASCII (space, line ends, punctuation), with a NUL on one side. */
const LEAST_ASCII = 0.1

/**
 * A file's bytes as text. A byte order mark decides; then `declared` (working-tree-encoding, as git takes it); then
 * UTF-16 where the NULs lie as they do in text; then UTF-8 where the bytes are valid; else windows-1252, which has a
 * character for nearly every byte. Bytes that do not fit a declared encoding become U+FFFD: the rest is still scanned.
 *
 * A declaration never hides text: bytes that are plain UTF-8 are read as that, though UTF-16 or an unknown encoding is
 * declared. `undecodable` is left for an unknown declared encoding over other bytes, and for UTF-32.
 */
export function decode(bytes: Uint8Array, declared?: string): Decoded | { skip: SkipReason; detail?: string } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const mark = markOf(buffer)
  if (mark === 'utf-32') return { skip: 'undecodable', detail: 'UTF-32 is not supported' }
  if (mark !== undefined) return decodeAs(buffer, mark)
  const plain = buffer.indexOf(0) === -1
  if (declared !== undefined) {
    const label = labelOf(declared)
    const known = isLabel(label)
    if (!(plain && (!known || label.startsWith('utf-16')) && isUtf8(buffer))) {
      if (!known) return { skip: 'undecodable', detail: `the declared encoding ${JSON.stringify(declared)} is unknown` }
      return decodeAs(buffer, label === 'utf-16' ? (utf16Of(buffer) ?? 'utf-16le') : label)
    }
  }
  if (plain && isAscii(buffer)) return { text: buffer.toString('latin1'), encoding: 'utf-8' }
  const wide = plain ? undefined : utf16Of(buffer)
  if (wide !== undefined) return decodeAs(buffer, wide)
  if (isUtf8(buffer)) return { text: buffer.toString('utf8'), encoding: 'utf-8' }
  return decodeAs(buffer, 'windows-1252')
}

/** Whether the bytes begin with the mark of UTF-16. */
export function hasWideMark([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

/** Whether the bytes are UTF-16 text, by their mark or by how the NULs lie; else a NUL means binary data. */
export function isUtf16(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const mark = markOf(buffer)
  return mark === 'utf-16le' || mark === 'utf-16be' || mark === 'utf-32' || utf16Of(buffer) !== undefined
}

function markOf(buffer: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32' | undefined {
  const first = buffer[0]
  if (first === 0xef) return buffer[1] === 0xbb && buffer[2] === 0xbf ? 'utf-8' : undefined
  if (first === 0xfe) return buffer[1] === 0xff ? 'utf-16be' : undefined
  if (first === 0xff && buffer[1] === 0xfe)
    return buffer.length > 3 && buffer[2] === 0 && buffer[3] === 0 ? 'utf-32' : 'utf-16le'
  if (first === 0 && buffer[1] === 0 && buffer[2] === 0xfe && buffer[3] === 0xff) return 'utf-32'
  return undefined
}

/** Decodes with TextDecoder, which takes a byte order mark off; `label` is one that it knows. */
function decodeAs(buffer: Buffer, label: string): Decoded {
  const decoder = new TextDecoder(label)
  const { encoding } = decoder
  return { text: encoding === 'windows-1252' ? windows1252(buffer) : decoder.decode(buffer), encoding }
}

/**
 * UTF-16 without a mark: NULs on one side of the pairs and hardly any on the other, and no control character beside
 * those of text. Tables of small numbers, which are the binary data that comes nearest, hold control characters.
 */
function utf16Of(buffer: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const length = Math.min(buffer.length, SAMPLE) & ~1
  if (length < 2) return undefined
  let even = 0
  let odd = 0
  for (let at = 0; at < length; at += 2) {
    if (buffer[at] === 0) even++
    if (buffer[at + 1] === 0) odd++
  }
  const little = odd > even
  const most = little ? odd : even
  if (most < (length / 2) * LEAST_ASCII || (little ? even : odd) > most / 16) return undefined
  for (let at = 0; at < length; at += 2) {
    const unit = little ? buffer[at]! | (buffer[at + 1]! << 8) : (buffer[at]! << 8) | buffer[at + 1]!
    if (unit < 0x20 ? !isTextControl(unit) : unit >= 0xfffe) return undefined
  }
  return little ? 'utf-16le' : 'utf-16be'
}

/** Tab, line feed, vertical tab, form feed, carriage return, escape. */
function isTextControl(unit: number): boolean {
  return (unit >= 0x09 && unit <= 0x0d) || unit === 0x1b
}

/** git takes iconv's names, TextDecoder those of the Encoding Standard; these are the spellings that differ. */
function labelOf(declared: string): string {
  const name = declared.toLowerCase().replaceAll('_', '-')
  const page = /^cp-?(\d+)$/.exec(name)?.[1]
  if (page !== undefined) return PAGES[page] ?? name
  return SPELLINGS[name] ?? name
}

const PAGES: Record<string, string> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  65001: 'utf-8',
}

const SPELLINGS: Record<string, string> = {
  utf8: 'utf-8',
  utf16: 'utf-16',
  utf16le: 'utf-16le',
  utf16be: 'utf-16be',
  'utf-16le-bom': 'utf-16le',
  'utf-16be-bom': 'utf-16be',
  'shift-jis': 'shift_jis',
  'latin-1': 'iso-8859-1',
}

function isLabel(label: string): boolean {
  try {
    new TextDecoder(label)
    return true
  } catch {
    return false
  }
}

/** What windows-1252 has at 0x80 … 0x9F, where Latin-1 has control characters (Encoding Standard, index-windows-1252). */
const UPPER = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** By hand, since Node's own decoder for it differs between versions. */
function windows1252(buffer: Buffer): string {
  return buffer.toString('latin1').replace(/[\x80-\x9f]/g, character => UPPER[character.charCodeAt(0) - 0x80]!)
}
