/** A part of a file by its tokens, counted over all files. */
export interface TokenRange {
  file: number
  start: number
  /** Exclusive. */
  end: number
}

/** The same tokens in several places, none of which overlap. */
export interface CloneClass {
  tokens: number
  occurrences: TokenRange[]
}

export interface CloneSearch {
  classes: CloneClass[]
  /** For each token whether it is in a part of at least `minTokens` that there is elsewhere too. */
  duplicated: Uint8Array
  /** Clones were not extended to their full length any more, since that would have taken too many steps. */
  isBounded: boolean
}

/** Windows of one hash that are compared before a window is taken for the only one of its kind. */
const MOST_PROBES = 64
/** Members of a class up to which it is extended beyond what all its windows share. */
const MOST_EXTENDED = 64
/** Steps of extending, for each token. */
const STEPS = 20
const BASE = 0x2c1b3c6d

/**
 * Finds what is there more than once, in parts of at least `minTokens` tokens (2 or more) within a file each. Windows of that length are numbered by
 * their first equal (a rolling hash finds it, its tokens decide); windows whose equals all go on alike make one class, which is then extended
 * as far as its members agree. Time and memory are linear in the tokens, whatever they are: an extension has a budget of steps.
 */
export function findClones(tokens: Int32Array, bounds: readonly number[], minTokens: number): CloneSearch {
  const total = tokens.length
  const first = numberWindows(tokens, bounds, minTokens)
  const all = new Int32Array(total)
  const apart = new Int32Array(total)
  const last = new Int32Array(total).fill(-1)
  const next = new Int32Array(total).fill(-1)
  const tail = new Int32Array(total)
  const aligned = new Int32Array(total)
  for (let at = 0; at < total; at++) {
    const own = first[at]!
    if (own < 0) continue
    all[own]!++
    if (own !== at) next[tail[own]!] = at
    tail[own] = at
    if (last[own]! < 0 || at >= last[own]! + minTokens) {
      apart[own]!++
      last[own] = at
    }
  }
  for (let at = 0; at + 1 < total; at++) {
    const own = first[at]!
    if (own >= 0 && first[at + 1]! >= 0 && first[own + 1] === first[at + 1]) aligned[own]!++
  }
  /** Whether every equal of a window is followed by equals of the next one, and these by nothing else. */
  const goesOn = (own: number) => {
    const after = own + 1 < total ? first[own + 1]! : -1
    return after >= 0 && aligned[own] === all[own] && all[after] === all[own]
  }
  const duplicated = markDuplicated(first, apart, minTokens)
  const classes = new Map<string, CloneClass>()
  let steps = STEPS * total
  let isBounded = false
  for (let at = 0; at < total; at++) {
    if (first[at] !== at || apart[at]! < 2) continue
    if (at > 0 && first[at - 1]! >= 0 && goesOn(first[at - 1]!) && first[first[at - 1]! + 1] === at) continue
    const members: number[] = []
    for (let member = at; member >= 0; member = next[member]!) members.push(member)
    let length = minTokens
    for (let own = at; goesOn(own); own = first[own + 1]!) length++
    const extent = { back: 0, length }
    if (members.length <= MOST_EXTENDED) {
      const agree = (shift: number) => {
        const own = first[members[0]! + shift]
        steps -= members.length
        return own !== undefined && own >= 0 && members.every(member => first[member + shift] === own)
      }
      while (steps > 0 && agree(extent.length - minTokens + 1)) extent.length++
      while (steps > 0 && agree(-extent.back - 1)) extent.back++
      extent.length += extent.back
    }
    isBounded ||= steps <= 0
    // The longer a clone, the more of its members overlap: one of fewer members is a class beside that of all.
    let fewer = 1
    for (const { back, length: long } of [extent, { back: 0, length }, { back: 0, length: minTokens }]) {
      const occurrences = keepApart(members, back, long, bounds)
      if (occurrences.length <= fewer) continue
      fewer = occurrences.length
      classes.set(`${occurrences.map(({ start }) => start).join()}:${long}`, { tokens: long, occurrences })
    }
  }
  return { classes: [...classes.values()], duplicated, isBounded }
}

/** For each position the first one with the same window; -1 where none of that length begins in the file. */
function numberWindows(tokens: Int32Array, bounds: readonly number[], width: number): Int32Array {
  const total = tokens.length
  const first = new Int32Array(total).fill(-1)
  let size = 1024
  while (size < total * 2) size *= 2
  const table = new Int32Array(size).fill(-1)
  let power = 1
  for (let n = 0; n < width; n++) power = Math.imul(power, BASE)
  const isSame = (one: number, other: number) => {
    for (let n = 0; n < width; n++) if (tokens[one + n] !== tokens[other + n]) return false
    return true
  }
  for (let file = 0; file + 1 < bounds.length; file++) {
    const [begin, end] = [bounds[file]!, bounds[file + 1]!]
    if (end - begin < width) continue
    let hash = 0
    for (let n = 0; n < width; n++) hash = (Math.imul(hash, BASE) + tokens[begin + n]!) | 0
    for (let at = begin; ; at++) {
      const before = at > begin ? first[at - 1]! : -1
      // Where the window before has an equal, one more token decides.
      if (
        before >= 0 &&
        before !== at - 1 &&
        first[before + 1]! >= 0 &&
        tokens[before + width] === tokens[at + width - 1]
      )
        first[at] = first[before + 1]!
      else {
        let slot = mix(hash) & (size - 1)
        for (let probe = 0; ; probe++, slot = (slot + 1) & (size - 1)) {
          const known = table[slot]!
          if (known < 0 || probe === MOST_PROBES) {
            if (known < 0) table[slot] = at
            first[at] = at
            break
          }
          if (isSame(known, at)) {
            first[at] = known
            break
          }
        }
      }
      if (at + width >= end) break
      hash = (Math.imul(hash, BASE) + tokens[at + width]! - Math.imul(tokens[at]!, power)) | 0
    }
  }
  return first
}

function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function markDuplicated(first: Int32Array, apart: Int32Array, width: number): Uint8Array {
  const duplicated = new Uint8Array(first.length)
  let end = 0
  for (let at = 0; at < first.length; at++) {
    if (first[at]! >= 0 && apart[first[at]!]! > 1) end = at + width
    if (at < end) duplicated[at] = 1
  }
  return duplicated
}

/** The members that do not overlap an earlier one, with their files; both lists ascend. */
function keepApart(members: readonly number[], back: number, length: number, bounds: readonly number[]): TokenRange[] {
  const kept: TokenRange[] = []
  for (const member of members) {
    const start = member - back
    const before = kept.at(-1)
    if (before !== undefined && start < before.end) continue
    let [low, high] = [0, bounds.length - 2]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (bounds[middle]! <= start) low = middle
      else high = middle - 1
    }
    kept.push({ file: low, start, end: start + length })
  }
  return kept
}
