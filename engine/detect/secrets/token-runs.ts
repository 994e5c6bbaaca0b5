import type { LeastRun } from '../../base/records/secret-detector.ts'

/**
 * Characters that a run has at least: most credentials have more on end, and few words of programs. Of base64 fifteen bytes are looked
 * at then: random ones are readable text in one of two million cases.
 */
export const LEAST_RUN = 24

/** Value of each byte as a digit of base64, in either alphabet (RFC 4648 sections 4 and 5); 255 for all others. */
export const DIGIT64 = new Uint8Array(256).fill(255)
;[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].forEach((char, value) => {
  DIGIT64[char.charCodeAt(0)] = value
})
DIGIT64[0x2d] = 62
DIGIT64[0x5f] = 63

/** Digits that are letters or decimal digits have smaller values. */
const FIRST_SIGN = 62

/** 1 for each byte that is such a digit. */
const IN_RUN = DIGIT64.map(value => Number(value !== 255))

/** The runs of a text, ascending, one behind the other: number i is from `starts[i]` to `ends[i]`. */
export interface TokenRuns {
  starts: number[]
  ends: number[]
  /** Length of the longest part of each that is letters and decimal digits alone. */
  plain: number[]
}

/**
 * Every run of LEAST_RUN and more letters, digits, `+`, `/`, `-` and `_`. A text's bytes are one a character. Of ordinary text every
 * third byte or so is looked at: where a byte is none of them, no run crosses it.
 */
export function findTokenRuns(bytes: Uint8Array): TokenRuns {
  const runs: TokenRuns = { starts: [], ends: [], plain: [] }
  const { length } = bytes
  let start = 0
  while (start + LEAST_RUN <= length) {
    let at = start + LEAST_RUN - 1
    while (at >= start && IN_RUN[bytes[at]!] === 1) at--
    if (at >= start) {
      start = at + 1
      continue
    }
    let end = start + LEAST_RUN
    while (end < length && IN_RUN[bytes[end]!] === 1) end++
    runs.starts.push(start)
    runs.ends.push(end)
    runs.plain.push(longestPlain(bytes, start, end))
    start = end + 1
  }
  return runs
}

function longestPlain(bytes: Uint8Array, start: number, end: number): number {
  let longest = 0
  let since = start
  for (let at = start; at < end; at++) {
    if (DIGIT64[bytes[at]!]! >= FIRST_SIGN) since = at + 1
    else if (at - since >= longest) longest = at - since + 1
  }
  return longest
}

/** Whether run number `index` holds what a match must hold. */
export function isEnough({ starts, ends, plain }: TokenRuns, index: number, least: LeastRun): boolean {
  return ends[index]! - starts[index]! >= least.length && plain[index]! >= least.plain
}

/** Whether a text with these runs may hold a match that holds so much on end. */
export function admits(runs: TokenRuns, least: LeastRun): boolean {
  for (let index = 0; index < runs.starts.length; index++) if (isEnough(runs, index, least)) return true
  return false
}
