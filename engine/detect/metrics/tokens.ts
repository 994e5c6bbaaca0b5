import type { Role, Syntax } from './syntax.ts'

/** Kinds of tokens. */
export const TOKEN = {
  NAME: 1,
  KEYWORD: 2,
  NUMBER: 3,
  STRING: 4,
  OPEN: 5,
  CLOSE: 6,
  COMMA: 7,
  SEMICOLON: 8,
  COLON: 9,
  QUESTION: 10,
  AND: 11,
  OR: 12,
  NULLISH: 13,
  ASSIGN: 14,
  SHORT_ASSIGN: 15,
  ARROW: 16,
  OPTIONAL: 17,
  DOT: 18,
  STEP: 19,
  OTHER: 20,
} as const

/** Reads the tokens of code in order. Places are offsets of bytes. */
export interface TokenReader {
  /** `role` is that of a keyword; `newline` where a line ended between it and the token before; the line is the number of ended lines before it, plus 1. */
  read(type: number, start: number, end: number, role: Role | undefined, newline: boolean, line: number): void
}

/** A language's keywords, by length and first byte. */
export class Words {
  readonly #buckets: { bytes: Uint8Array; role: Role }[][] = Array.from({ length: 512 }, () => [])
  /** 1 for a bucket with words: nearly all names end here. */
  readonly #filled = new Uint8Array(512)

  constructor(roles: Syntax['roles']) {
    for (const [role, words] of Object.entries(roles) as [Role, readonly string[]][])
      for (const word of words) {
        const bytes = new TextEncoder().encode(word)
        const index = bucket(bytes[0]!, bytes.length)
        this.#buckets[index]!.push({ bytes, role })
        this.#filled[index] = 1
      }
  }

  find(bytes: Uint8Array, start: number, end: number): Role | undefined {
    const length = end - start
    if (length > 15) return undefined
    const index = bucket(bytes[start]!, length)
    return this.#filled[index] === 0 ? undefined : this.#compare(index, bytes, start, length)
  }

  #compare(index: number, bytes: Uint8Array, start: number, length: number): Role | undefined {
    for (const { bytes: word, role } of this.#buckets[index]!) {
      let at = 1
      while (at < length && word[at] === bytes[start + at]) at++
      if (at === length && word[0] === bytes[start]) return role
    }
    return undefined
  }
}

function bucket(first: number, length: number): number {
  return ((first & 31) << 4) | (length & 15)
}

const SPACE = 0
const LINE_END = 1
const WORD = 2
const DIGIT = 3
/** An operator that may be more than one character, and needs a look. */
const SIGN = 4
/** Brackets, comma and semicolon: tokens of one character. */
const SINGLE = 5
/** Any other operator, which only an equals sign makes longer. */
const PLAIN = 6

const CLASSES = new Uint8Array(256).fill(WORD)
/** 1 for what a word or a number goes on with. */
const GOES_ON = new Uint8Array(256).fill(1)
const TYPES = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  CLASSES[code] = code <= 32 ? SPACE : PLAIN
  GOES_ON[code] = 0
}
const classify = (characters: string, kind: number) => {
  for (const character of characters) {
    CLASSES[character.charCodeAt(0)] = kind
    if (kind === WORD || kind === DIGIT) GOES_ON[character.charCodeAt(0)] = 1
  }
}
classify('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$', WORD)
classify('0123456789', DIGIT)
classify('&|?=-.:+#/', SIGN)
classify('\n', LINE_END)
for (const [characters, type] of [
  ['([{', TOKEN.OPEN],
  [')]}', TOKEN.CLOSE],
  [',', TOKEN.COMMA],
  [';', TOKEN.SEMICOLON],
] as const) {
  classify(characters, SINGLE)
  for (const character of characters) TYPES[character.charCodeAt(0)] = type
}

/** The comments and strings of a text; they do not overlap. */
export interface Skipped {
  starts: readonly number[]
  ends: readonly number[]
  /** 1 for a string. */
  kinds: readonly number[]
  /** Regular expressions, as `Reading` has them. */
  patterns: readonly number[]
}

/**
 * Hands the tokens of a text to a reader. Of lines for a
 * preprocessor only where each begins is handed to `directive`. Answers the line of the last token. Linear in the text.
 */
export function readTokens(
  bytes: Uint8Array,
  skipped: Skipped,
  words: Words,
  reader: TokenReader,
  directive?: (start: number, end: number) => void,
): number {
  const { starts, ends, kinds, patterns } = skipped
  let span = 0
  let pattern = 0
  let at = 0
  let line = 1
  let newline = true
  const end = bytes.length
  while (at < end) {
    while (span < starts.length && ends[span]! <= at) span++
    let limit = span < starts.length ? starts[span]! : end
    if (limit <= at) {
      const behind = Math.min(ends[span]!, end)
      const isString = kinds[span] === 1
      if (isString) {
        reader.read(TOKEN.STRING, at, behind, undefined, newline, line)
        newline = false
      }
      for (; at < behind; at++)
        if (bytes[at] === 10) {
          line++
          newline ||= !isString
        }
      continue
    }
    while (at < limit) {
      const byte = bytes[at]!
      const kind = CLASSES[byte]!
      if (kind === SPACE) {
        at++
        while (at < limit && (bytes[at] === 9 || bytes[at] === 32)) at++
      } else if (kind === WORD) {
        const start = at++
        while (at < limit && GOES_ON[bytes[at]!] === 1) at++
        const role = words.find(bytes, start, at)
        reader.read(role === undefined ? TOKEN.NAME : TOKEN.KEYWORD, start, at, role, newline, line)
        newline = false
      } else if (kind === SINGLE) {
        reader.read(TYPES[byte]!, at, at + 1, undefined, newline, line)
        newline = false
        at++
      } else if (kind === LINE_END) {
        line++
        newline = true
        at++
      } else if (kind === PLAIN) {
        const start = at++
        if (bytes[at] === 61) at += bytes[at + 1] === 61 ? 2 : 1
        reader.read(TOKEN.OTHER, start, at, undefined, newline, line)
        newline = false
      } else if (kind === DIGIT) {
        const start = at++
        while (at < limit && (GOES_ON[bytes[at]!] === 1 || isPoint(bytes, at))) at++
        reader.read(TOKEN.NUMBER, start, at, undefined, newline, line)
        newline = false
      } else if (byte === 35 && directive && newline) {
        directive(at + 1, limit)
        // A directive ends with its line, behind whatever comments it has.
        for (at++; at < end && bytes[at] !== 10; at++) {
          while (span < starts.length && ends[span]! <= at) span++
          const plain = span < starts.length ? starts[span]! : end
          // Headers of nothing but definitions are a good part of a large program: most of their bytes end here.
          while (at < plain && bytes[at] !== 92 && bytes[at] !== 10) at++
          if (at === end || bytes[at] === 10) break
          if (at >= plain && ends[span]! - 1 > at) {
            for (const last = ends[span]! - 1; at < last; at++) if (bytes[at] === 10) line++
          } else if (bytes[at] === 92) {
            if (bytes[at + 1] === 13) at++
            if (bytes[at + 1] === 10) {
              line++
              at++
            }
          }
        }
        limit = at
      } else if (byte === 47 && pattern < patterns.length && patterns[pattern]! <= at) {
        while (patterns[pattern]! < at) pattern += 2
        const isPattern = patterns[pattern] === at
        const behind = isPattern ? patterns[pattern + 1]! : at + 1
        if (isPattern) pattern += 2
        reader.read(isPattern ? TOKEN.STRING : TOKEN.OTHER, at, behind, undefined, newline, line)
        newline = false
        at = behind
      } else {
        const { type, length } = readSign(bytes, at, limit)
        reader.read(type, at, at + length, undefined, newline, line)
        newline = false
        at += length
      }
    }
  }
  return line
}

function isPoint(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 46 && CLASSES[bytes[at + 1] ?? 0] === DIGIT
}

const sign: { type: number; length: number } = { type: 0, length: 0 }

/** The operator at a place; the object is the same each time. */
function readSign(bytes: Uint8Array, at: number, limit: number): { type: number; length: number } {
  const byte = bytes[at]!
  const second = at + 1 < limit ? bytes[at + 1]! : 0
  const third = at + 2 < limit ? bytes[at + 2]! : 0
  sign.type = TOKEN.OTHER
  sign.length = 1
  if (byte === 38 || byte === 124 || byte === 63) {
    if (second === byte) {
      sign.length = third === 61 ? 3 : 2
      sign.type = third === 61 ? TOKEN.SHORT_ASSIGN : byte === 38 ? TOKEN.AND : byte === 124 ? TOKEN.OR : TOKEN.NULLISH
    } else if (byte === 63) {
      if (second === 46 && CLASSES[third] !== DIGIT) {
        sign.type = TOKEN.OPTIONAL
        sign.length = 2
      } else sign.type = TOKEN.QUESTION
    } else if (second === 61) sign.length = 2
  } else if (byte === 61) {
    if (second === 61) sign.length = third === 61 ? 3 : 2
    else if (second === 62) {
      sign.type = TOKEN.ARROW
      sign.length = 2
    } else if (second === 126) sign.length = 2
    else sign.type = TOKEN.ASSIGN
  } else if (byte === 45 && second === 62) {
    sign.type = TOKEN.ARROW
    sign.length = 2
  } else if (byte === 46) {
    sign.type = TOKEN.DOT
  } else if (byte === 58) {
    sign.type = second === 58 ? TOKEN.OTHER : second === 61 ? TOKEN.ASSIGN : TOKEN.COLON
    sign.length = sign.type === TOKEN.COLON ? 1 : 2
  } else if ((byte === 43 || byte === 45) && second === byte) {
    sign.type = TOKEN.STEP
    sign.length = 2
  } else if (second === 61) sign.length = third === 61 ? 3 : 2
  return sign
}
