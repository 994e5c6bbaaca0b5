import { DIGIT64, LEAST_RUN, type TokenRuns } from '../token-runs.ts'

/** Digits that a run in hexadecimal has at least. */
const LEAST_HEX = 32

/** 1 for bytes of readable text: printable ASCII, tab and line ends. */
const READABLE = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++)
  READABLE[byte] = (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13 ? 1 : 0

/** Bytes that hold readable text in base64 or in hexadecimal, as offsets of the first and behind the last digit. */
export interface Run {
  start: number
  end: number
  writing: 'base64' | 'hex'
}

/** Every run of digits of base64 or hexadecimal, among those of a text, that begins with readable text. */
export function findEncodedRuns(bytes: Uint8Array, { starts, ends }: TokenRuns): Run[] {
  const found: Run[] = []
  for (let index = 0; index < starts.length; index++) {
    const start = starts[index]!
    const end = ends[index]!
    // Behind an escaped line end, its letter is none of the digits.
    const begin = start > 0 && bytes[start - 1] === 0x5c && isEscapeLetter(bytes[start]!) ? start + 1 : start
    const writing = writingAt(bytes, begin)
    if (writing !== undefined && !(writing === 'base64' && isPartOfJwt(bytes, begin, end)))
      found.push({ start: begin, end, writing })
  }
  return found
}

function isEscapeLetter(byte: number): boolean {
  return byte === 0x6e || byte === 0x72 || byte === 0x74
}

function writingAt(bytes: Uint8Array, at: number): Run['writing'] | undefined {
  if (isReadable64(bytes, at)) return 'base64'
  return isReadableHex(bytes, at) ? 'hex' : undefined
}

/** Whether the digits from here on stand for readable text, in ASCII or in UTF-16 of which every other byte is zero. */
function isReadable64(bytes: Uint8Array, at: number): boolean {
  let narrow = true
  let wide = true
  for (let digit = 0; digit + 4 <= LEAST_RUN - 1; digit += 4) {
    const word =
      (DIGIT64[bytes[at + digit]!]! << 18) |
      (DIGIT64[bytes[at + digit + 1]!]! << 12) |
      (DIGIT64[bytes[at + digit + 2]!]! << 6) |
      DIGIT64[bytes[at + digit + 3]!]!
    for (let shift = 16; shift >= 0; shift -= 8) {
      const byte = (word >> shift) & 255
      const isEven = ((digit / 4) * 3 + (16 - shift) / 8) % 2 === 0
      if (READABLE[byte] === 0) narrow = false
      if (isEven ? READABLE[byte] === 0 : byte !== 0) wide = false
    }
    if (!narrow && !wide) return false
  }
  return true
}

function isReadableHex(bytes: Uint8Array, at: number): boolean {
  for (let digit = 0; digit < LEAST_HEX; digit += 2) {
    const high = hexDigit(bytes[at + digit])
    const low = hexDigit(bytes[at + digit + 1])
    if (high === -1 || low === -1 || READABLE[high * 16 + low] === 0) return false
  }
  return true
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 48 && byte <= 57) return byte - 48
  const folded = byte | 32
  return folded >= 97 && folded <= 102 ? folded - 87 : -1
}

/** What a JSON Web Token says is no secret: its signature is, and the token is found as such. */
function isPartOfJwt(bytes: Uint8Array, start: number, end: number): boolean {
  const dot = 0x2e
  const isObject = bytes[start] === 0x65 && bytes[start + 1] === 0x79 && bytes[start + 2] === 0x4a
  return isObject && (bytes[end] === dot || bytes[start - 1] === dot)
}

/** Bytes up to the first that is not readable; letters beyond ASCII count as readable here, since their encoding is not known. */
export function measureReadable(bytes: Uint8Array): number {
  let at = 0
  while (at < bytes.length && (READABLE[bytes[at]!] === 1 || bytes[at]! >= 128)) at++
  return at
}

/** Whether a character is a digit of base64 in either alphabet. */
export function isDigit64(code: number): boolean {
  return code < 256 && DIGIT64[code] !== 255
}
