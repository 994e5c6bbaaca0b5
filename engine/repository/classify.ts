import { isUtf16 } from './decode.ts'
import type { NotRead } from './read.ts'

/** Where a NUL is looked for, as git and grep do. */
const HEAD = 8192

/** A line of this many bytes is not written by a person. */
const LONG_LINE = 5000
/** The mean line, in bytes, from which a file with such a line is taken for minified. */
const LONG_MEAN = 500
/** The same for a file that says in its name that it is minified; no long line is needed then. */
const NAMED_MEAN = 110

const MINIFIABLE: ReadonlySet<string | null> = new Set(['javascript', 'typescript', 'css', 'html', 'json', 'xml'])
const NAMED = /[.-]min\.[a-z]+$/i
/** A bundler's output has a hash of its content in its name; a digit in it tells it from a word. */
const HASHED = /[.-](?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{8,}\.(?:[cm]?js|css)$/

/**
 * Says of a file's bytes that they are not for reading: `binary` (a NUL in the first 8 KiB, UTF-16 text apart) or
 * `minified` (a language that is minified for delivery, with lines that nobody wrote); undefined for a file to scan.
 * Takes a few microseconds: lines are counted only in a file that has a long one.
 */
export function classify(bytes: Uint8Array, path: string, language: string | null): NotRead | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const nul = buffer.subarray(0, HEAD).indexOf(0)
  if (nul !== -1 && !isUtf16(buffer)) return { reason: 'binary', detail: `a NUL at byte ${nul}` }
  if (!MINIFIABLE.has(language)) return undefined
  const named = NAMED.test(path) || HASHED.test(path)
  if (!named && !hasLongLine(buffer)) return undefined
  const { lines, longest } = measure(buffer)
  const mean = Math.round(buffer.length / lines)
  if (mean < (named ? NAMED_MEAN : LONG_MEAN)) return undefined
  return { reason: 'minified', detail: `longest line ${longest} bytes, ${mean} on average` }
}

/** Hops from line end to line end, as far as the longest permitted line reaches: few steps whatever the file's size. */
function hasLongLine(buffer: Buffer): boolean {
  let at = -1
  while (buffer.length - at - 1 > LONG_LINE) {
    const end = buffer.lastIndexOf(0x0a, at + 1 + LONG_LINE)
    if (end <= at) return true
    at = end
  }
  return false
}

function measure(buffer: Buffer): { lines: number; longest: number } {
  let lines = 0
  let longest = 0
  for (let at = 0; at < buffer.length; ) {
    const end = buffer.indexOf(0x0a, at)
    const stop = end === -1 ? buffer.length : end
    longest = Math.max(longest, stop - at)
    lines++
    at = stop + 1
  }
  return { lines: Math.max(lines, 1), longest }
}
