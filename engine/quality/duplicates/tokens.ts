import { lex } from '../../detect/lexer/lexer.ts'

/** The tokens of one file. */
export interface FileTokens {
  /** A hash of each token, of its language too: equal tokens of one language have equal hashes. */
  hashes: Int32Array
  /** The line of each token's first and last character, from 1. */
  lines: Int32Array
  endLines: Int32Array
}

/** Words that mean something to a language and are no names; a name that is one elsewhere is compared as it is, which loses a clone and makes up none. */
const KEYWORDS = new Set(
  (
    'abstract and as assert async await base begin bool boolean break byte case catch char class const constructor continue def default ' +
    'defer del delete do double elif else elseif end enum except export extends extern false final finally float fn for foreach from func ' +
    'function get global go goto if impl implements import in inline instanceof int interface internal is lambda let long loop match ' +
    'module mut namespace new nil none not null object operator or override package pass private protected pub public raise readonly ref ' +
    'rescue return self set short signed sizeof static string struct super switch synchronized template this throw throws trait true try ' +
    'type typedef typeof undefined union unless unsafe unsigned until use using val var virtual void volatile when where while with yield'
  ).split(' '),
)
const NAME = 0x6e616d65
const PRIME = 0x01000193

/**
 * Reads a file as tokens: words, numbers, single characters of punctuation, and each string literal whole; comments and white space are left
 * out. With `renamed`, all names are one token. Linear in the text.
 */
export function readTokens(language: string, text: string, renamed: boolean): FileTokens {
  const room = text.length
  const hashes = new Int32Array(room)
  const starts = new Int32Array(room)
  const ends = new Int32Array(room)
  let count = 0
  const seed = hashOf(language, 0, language.length, 0x811c9dc5)
  const put = (start: number, end: number, isName: boolean) => {
    const word = renamed && isName && !KEYWORDS.has(text.slice(start, end))
    hashes[count] = word ? Math.imul(seed ^ NAME, PRIME) : hashOf(text, start, end, seed)
    starts[count] = start
    ends[count++] = end
  }
  const readCode = (from: number, to: number) => {
    for (let at = from; at < to; ) {
      const code = text.charCodeAt(at)
      if (code <= 32 || code === 0xfeff || code === 0xa0) at++
      else if (isWordCode(code)) {
        let end = at + 1
        while (end < to && isWordCode(text.charCodeAt(end))) end++
        put(at, end, !(code >= 48 && code <= 57))
        at = end
      } else put(at, ++at, false)
    }
  }
  let from = 0
  for (const { start, end, context } of lex(language, text).spans()) {
    readCode(from, start)
    if (context === 'string') put(start, end, false)
    from = end
  }
  readCode(from, text.length)
  return { hashes: hashes.slice(0, count), ...readLines(text, starts, ends, count) }
}

function readLines(text: string, starts: Int32Array, ends: Int32Array, count: number) {
  const lines = new Int32Array(count)
  const endLines = new Int32Array(count)
  let line = 1
  let feed = text.indexOf('\n')
  const lineAt = (offset: number) => {
    while (feed !== -1 && feed < offset) {
      line++
      feed = text.indexOf('\n', feed + 1)
    }
    return line
  }
  for (let index = 0; index < count; index++) {
    lines[index] = lineAt(starts[index]!)
    endLines[index] = lineAt(ends[index]! - 1)
  }
  return { lines, endLines }
}

/** Letters, digits, `_`, `$`, and whatever is not ASCII. */
function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code > 127
  )
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string, start: number, end: number, seed: number): number {
  let hash = seed
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME)
  return hash
}
