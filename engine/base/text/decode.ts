import { isAscii, isUtf8 } from 'node:buffer'

export interface Decoded {
  /** Without a byte order mark: offset 0 is the first character that a person sees. */
  text: string
  /** Lower-case label of the WHATWG Encoding Standard; ASCII is `utf-8`. */
  encoding: string
}

/** Bytes that are looked at to tell UTF-16 without a byte order mark from binary data. */
const SAMPLE = 4096

/** Of the pairs in UTF-16 text, at least this share is ASCII (space, line ends, punctuation), with a NUL on one side; of a short one more. */
const LEAST_ASCII = 0.1
const LEAST_ASCII_SHORT = 0.3
const SHORT_TEXT = 256

/** Why bytes have no text. */
export interface Undecodable {
  skip: 'undecodable'
  detail?: string
}

/**
 * A file's bytes as text. A byte order mark decides where the bytes after it are of its encoding; then UTF-32 and UTF-16
 * where the NULs lie as they do in text; then UTF-8 where the bytes are valid; then `declared` (working-tree-encoding, as
 * git takes it); else windows-1252, which has a character for nearly every byte. Bytes that do not fit become U+FFFD, and the
 * rest is scanned. A NUL becomes a space: many parsers take it for the end of the text, and a compiler does not.
 *
 * Neither a declaration nor a mark hides text: bytes that are valid UTF-8 are read as that, whatever is declared, and a mark of
 * UTF-16 before single bytes is passed over. `undecodable` is left for an unknown declared encoding over other bytes.
 */
export function decode(bytes: Uint8Array, declared?: string): Decoded | Undecodable {
  const decoded = decodeBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), declared)
  if ('text' in decoded && decoded.text.includes('\0')) decoded.text = decoded.text.replaceAll('\0', ' ')
  return decoded
}

function decodeBytes(buffer: Buffer, declared?: string): Decoded | Undecodable {
  const mark = findByteOrderMark(buffer)
  if (mark !== undefined) return decodeAs(buffer, mark)
  const hasNul = buffer.includes(0)
  if (!hasNul && isAscii(buffer)) return { text: buffer.toString('latin1'), encoding: 'utf-8' }
  const wide = hasNul ? (findUtf32(buffer) ?? findUtf16(buffer)) : undefined
  if (wide !== undefined) return decodeAs(buffer, wide)
  const label = declared === undefined ? undefined : labelOf(declared)
  if (isUtf8(buffer)) return { text: buffer.toString('utf8'), encoding: 'utf-8' }
  // Of text without a character of the first 256 only the declaration tells that it is UTF-16.
  const isWide = label?.startsWith('utf-16') === true
  if (isWide && !isSingleByte(buffer)) return decodeAs(buffer, label === 'utf-16' ? 'utf-16le' : label!)
  if (label === undefined || isWide) return decodeAs(buffer, 'windows-1252')
  if (isLabel(label)) return decodeAs(buffer, label)
  return { skip: 'undecodable', detail: `the declared encoding ${JSON.stringify(declared)} is unknown` }
}

/** Whether the bytes begin with the mark of UTF-16. */
export function hasWideMark([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

/** Whether the bytes are UTF-16 or UTF-32 text, by their mark or by how the NULs lie. */
export function isWideText(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const mark = findByteOrderMark(buffer)
  if (mark !== undefined) return mark !== 'utf-8'
  return findUtf32(buffer) !== undefined || findUtf16(buffer) !== undefined
}

type Wide = 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be'

/** The encoding whose mark the bytes begin with, unless what follows is plainly of another. */
function findByteOrderMark(buffer: Buffer): 'utf-8' | Wide | undefined {
  const [first, second, third, fourth] = buffer
  if (first === 0xef) return second === 0xbb && third === 0xbf ? 'utf-8' : undefined
  if (first === 0 && second === 0 && third === 0xfe && fourth === 0xff) return 'utf-32be'
  if (!hasWideMark(buffer)) return undefined
  if (first === 0xff && third === 0 && fourth === 0 && buffer.length > 3 && areInRange(buffer)) return 'utf-32le'
  return isSingleByte(buffer.subarray(2)) ? undefined : first === 0xff ? 'utf-16le' : 'utf-16be'
}

/** Printable ASCII bytes in a row that UTF-16 does not have: of ASCII text every other byte is a NUL, and of other scripts few bytes are printable. */
const LONGEST_RUN = 24
/** The share of NULs from which bytes with such a run may yet be UTF-16. */
const MANY_NULS = 0.25

/** Whether bytes behind a mark of UTF-16, or a declaration of it, are in an encoding of single bytes. */
function isSingleByte(buffer: Buffer): boolean {
  const { nuls, longest } = measureRuns(buffer)
  return longest >= LONGEST_RUN && nuls < buffer.length * MANY_NULS
}

/** Whether bytes with a mark of UTF-16 hold both text of it and text of single bytes: a program that passes over the mark reads the latter. */
export function hasMixedEncodings(bytes: Uint8Array): boolean {
  if (!hasWideMark(bytes)) return false
  const { nuls, longest } = measureRuns(bytes)
  return longest >= LONGEST_RUN && nuls >= bytes.length * MANY_NULS
}

function measureRuns(bytes: Uint8Array): { nuls: number; longest: number } {
  let nuls = 0
  let run = 0
  let longest = 0
  for (const byte of bytes) {
    if (byte === 0) nuls++
    run = byte < 0x7f && (byte >= 0x20 || isTextControl(byte)) ? run + 1 : 0
    if (run > longest) longest = run
  }
  return { nuls, longest }
}

/** Whether the units of the sample are in the range of Unicode, little-endian; two characters of UTF-16 taken for one are not. */
function areInRange(buffer: Buffer): boolean {
  const length = Math.min(buffer.length, SAMPLE) & ~3
  for (let at = 0; at < length; at += 4) if (buffer.readUInt32LE(at) > 0x10ffff) return false
  return true
}

function isScalar(point: number): boolean {
  return point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
}

/** Decodes with TextDecoder, which takes a byte order mark off; `label` is one that it knows, or UTF-32, which it does not. */
function decodeAs(buffer: Buffer, label: string): Decoded {
  if (label === 'utf-32le' || label === 'utf-32be') return { text: decodeUtf32(buffer, label), encoding: label }
  const decoder = new TextDecoder(label)
  const { encoding } = decoder
  return { text: encoding === 'windows-1252' ? windows1252(buffer) : decoder.decode(buffer), encoding }
}

/** The Unicode Standard, section 3.10 (D99): units that are no scalar value become U+FFFD. */
function decodeUtf32(buffer: Buffer, label: 'utf-32le' | 'utf-32be'): string {
  const units: string[] = []
  const end = buffer.length & ~3
  for (let at = 0; at < end; at += 4) {
    const point = label === 'utf-32le' ? buffer.readUInt32LE(at) : buffer.readUInt32BE(at)
    if (at === 0 && point === 0xfeff) continue
    units.push(isScalar(point) ? String.fromCodePoint(point) : '\ufffd')
  }
  if (end < buffer.length) units.push('\ufffd')
  return units.join('')
}

/**
 * UTF-32 without a mark: every unit of the sample is a scalar value, none is a control character beside those of text, and one
 * in five at least is printable ASCII, so that tables of small numbers are none.
 */
function findUtf32(buffer: Buffer): 'utf-32le' | 'utf-32be' | undefined {
  if (buffer.length < 8) return undefined
  const isLittle = buffer[3] === 0 && buffer[2]! <= 0x10
  const length = Math.min(buffer.length, SAMPLE) & ~3
  let printable = 0
  for (let at = 0; at < length; at += 4) {
    const point = isLittle ? buffer.readUInt32LE(at) : buffer.readUInt32BE(at)
    if (!isScalar(point)) return undefined
    if (point < 0x20 && !isTextControl(point)) return undefined
    if (point < 0x7f) printable++
  }
  if (printable < length / 20) return undefined
  return isLittle ? 'utf-32le' : 'utf-32be'
}

/**
 * UTF-16 without a mark: NULs on one side of the pairs and hardly any on the other, and no control character beside
 * those of text. Tables of small numbers, which are the binary data that comes nearest, hold control characters.
 */
function findUtf16(buffer: Buffer): 'utf-16le' | 'utf-16be' | undefined {
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
  const least = length < SHORT_TEXT ? LEAST_ASCII_SHORT : LEAST_ASCII
  if (most < (length / 2) * least || (little ? even : odd) > most / 16) return undefined
  for (let at = 0; at < length; at += 2) {
    const unit = little ? buffer[at]! | (buffer[at + 1]! << 8) : (buffer[at]! << 8) | buffer[at + 1]!
    if (unit < 0x20 ? !isTextControl(unit) : unit >= 0xfffe) return undefined
  }
  // NULs alone, in a comment say, must not have the rest of a file read as something else.
  if (measureRuns(buffer).longest >= LONGEST_RUN) return undefined
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
