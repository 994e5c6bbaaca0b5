import { isUtf8 } from 'node:buffer'
import { isWideText } from './decode.ts'

/** Bytes in which the NULs and other control characters of a file without a known language are counted. */
const HEAD = 8192
/** The same of a file whose name is that of source code, which binary data hardly ever has. */
const SOURCE_HEAD = 1 << 20

/** A line of more bytes is hardly ever written by a person. */
const LONG_LINE = 200
/** The share of a minified file's code that is in such lines. */
const LONG_SHARE = 0.8
/** The most white space that minified code has in long lines; what was written has a sixth and more. */
const MOST_SPACE = 0.14
/** The least punctuation that it has, which prose, encoded data and long words have not. */
const LEAST_PUNCTUATION = 0.08

/** A smaller file can have short names throughout because somebody likes them. */
const LEAST_RENAMED = 16_384
/** Most bundles tell by their beginning that nobody renamed anything in them. */
const RENAMED_HEAD = 32_768
/** A name of more characters is hardly ever given by a program. */
const SHORT_NAME = 3
/** The share of declarations that have short names. Code that a person wrote comes to two thirds where it is made of arithmetic. */
const RENAMED_SHARE = 0.95
/** So many different names no program has that a person can read. */
const LEAST_NAMES = 100
/** What is declared. Behind `<` and `,` it is a parameter of a type. */
const DECLARATION = /(?<![<,] ?)\b(?:var|let|const|function|class) +([\w$]+)/g

/** Languages that are minified for delivery, with the size from which a file is judged: data is cheap to search, so that only much of it counts. */
const MINIFIABLE: ReadonlyMap<string | null, number> = new Map([
  ['javascript', 4096],
  ['typescript', 4096],
  ['css', 4096],
  ['html', 65_536],
  ['json', 65_536],
  ['xml', 65_536],
])

/** Comments and long literals of data: they say nothing of how the code was written. What is taken for one by mistake leaves the file to every rule. */
const NO_CODE =
  /\/\*[\s\S]*?(?:\*\/|$(?![\s\S]))|<!--[\s\S]*?(?:-->|$(?![\s\S]))|(?<=^|[\s;{}])\/\/[^\n]*|(["'`])[^"'`;{}()\n]{200,}\1/gm

/** What a file's bytes are, where they are not text that somebody wrote: `binary` is not searched, `minified` only for what needs no parsing. */
export interface Shape {
  shape: 'binary' | 'minified'
  /** The figures that decided. */
  detail: string
}

/**
 * Tells `binary` and `minified` files by their bytes, never by their names; undefined for a file to be scanned by everything.
 * A NUL alone makes nothing binary: text may hold one. Costs a few microseconds, or about a nanosecond a byte where there are NULs or long lines.
 */
export function classify(bytes: Uint8Array, language: string | null): Shape | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isSource = language !== null && language !== 'text'
  const head = buffer.subarray(0, isSource ? SOURCE_HEAD : HEAD)
  const nul = head.indexOf(0)
  if (nul !== -1 && !isWideText(buffer) && !isTextWithNul(head, isSource))
    return { shape: 'binary', detail: `a NUL at byte ${nul}` }
  const least = MINIFIABLE.get(language)
  if (least === undefined || buffer.length < least) return undefined
  if (hasLongLines(buffer)) {
    const minified = minifiedShape(buffer)
    if (minified) return minified
  }
  const isScript = language === 'javascript' || language === 'typescript'
  return isScript && buffer.length >= LEAST_RENAMED ? renamedShape(buffer) : undefined
}

/**
 * Judges the names that a file declares. Bundlers shorten them and leave the white space of libraries (Rollup and Vite do so for ES modules), so the lines look
 * as if somebody had written them. The beginning is asked first, and then the whole file, so that no part of it makes it minified.
 */
function renamedShape(buffer: Buffer): Shape | undefined {
  if (countNames(buffer.toString('latin1', 0, RENAMED_HEAD)).share < RENAMED_SHARE) return undefined
  const { share, short } = countNames(buffer.toString('latin1').replace(NO_CODE, ''))
  if (share < RENAMED_SHARE || short < LEAST_NAMES) return undefined
  const percent = Math.floor(100 * share)
  return {
    shape: 'minified',
    detail: `${percent} % of the declared names have at most ${SHORT_NAME} characters, ${short} different ones`,
  }
}

/** The share of declarations with short names, and the number of different ones. */
function countNames(code: string): { share: number; short: number } {
  const names = new Set<string>()
  let all = 0
  let short = 0
  for (const [, name] of code.matchAll(DECLARATION)) {
    all++
    if (name!.length > SHORT_NAME) continue
    short++
    names.add(name!)
  }
  return { share: all === 0 ? 0 : short / all, short: names.size }
}

/**
 * Whether bytes with NULs are text. Of source code that is what is valid UTF-8, or holds few control characters; of anything else, what
 * holds hardly any: compressed data has control characters as a ninth of its bytes and is no UTF-8, tables of numbers have more.
 */
function isTextWithNul(head: Buffer, isSource: boolean): boolean {
  let controls = 0
  let high = 0
  for (const byte of head) {
    if (byte >= 0x80) high++
    else if (byte === 0x7f || (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b)) controls++
  }
  const isValid = isUtf8(head) || isUtf8(withoutCut(head))
  // A run of NULs of any length is valid UTF-8, and what stands behind it is read by whatever runs the source.
  if (isSource) return isValid || (controls <= head.length * 0.1 && high <= head.length * 0.3)
  return isValid ? controls <= head.length * 0.1 : controls <= head.length * 0.02 && high <= head.length * 0.1
}

/** The bytes without a character at the end that the sample has cut. */
function withoutCut(head: Buffer): Buffer {
  let end = head.length
  while (end > head.length - 4 && end > 0 && (head[end - 1]! & 0xc0) === 0x80) end--
  return head.subarray(0, Math.max(0, end - 1))
}

/** Whether half of the bytes are in long lines. Hops from line end to line end as far as a short line reaches: few steps for most files. */
function hasLongLines(buffer: Buffer): boolean {
  let short = 0
  for (let at = 0; at < buffer.length; ) {
    const last = buffer.lastIndexOf(0x0a, at + LONG_LINE)
    if (last >= at) {
      short += last + 1 - at
      if (short * 2 > buffer.length) return false
      at = last + 1
    } else {
      const end = buffer.indexOf(0x0a, at + LONG_LINE)
      at = end === -1 ? buffer.length : end + 1
    }
  }
  return true
}

/**
 * Judges the whole file, so that no single line makes it minified: nearly all of the code is in long lines, and these hold hardly any
 * white space and much punctuation.
 */
function minifiedShape(buffer: Buffer): Shape | undefined {
  const code = buffer.toString('latin1').replace(NO_CODE, '')
  let inLong = 0
  let space = 0
  let punctuation = 0
  let longest = 0
  for (const line of code.split('\n')) {
    longest = Math.max(longest, line.length)
    if (line.length <= LONG_LINE) continue
    inLong += line.length
    for (let at = 0; at < line.length; at++) {
      const kind = KINDS[line.charCodeAt(at)]
      if (kind === SPACE) space++
      else if (kind === PUNCTUATION) punctuation++
    }
  }
  const isMinified =
    inLong > 0 &&
    inLong >= code.length * LONG_SHARE &&
    space <= inLong * MOST_SPACE &&
    punctuation >= inLong * LEAST_PUNCTUATION
  if (!isMinified) return undefined
  const share = Math.round((100 * inLong) / code.length)
  return {
    shape: 'minified',
    detail: `${share} % of the code in lines over ${LONG_LINE} bytes, the longest ${longest}`,
  }
}

const SPACE = 1
const PUNCTUATION = 2
const KINDS = new Uint8Array(256)
for (const character of ' \t') KINDS[character.charCodeAt(0)] = SPACE
for (const character of '(){}[];,=:<>.#"') KINDS[character.charCodeAt(0)] = PUNCTUATION
