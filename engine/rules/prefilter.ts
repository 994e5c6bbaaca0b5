import type { Clause, Literal, Requirement } from './literals.ts'

/** What one pass over a file's bytes tells. */
export interface Pass {
  lines: number
  /** Lines with nothing on them. */
  blank_lines: number
  /** Bytes of the longest line, its end aside. */
  longest_line: number
}

/**
 * An Aho–Corasick automaton over bytes, ASCII case folded, for all literals of a rule set. One pass finds every literal
 * and counts the lines on the way; then `admits` says for each requirement whether it can hold.
 */
export interface Prefilter {
  scan(bytes: Uint8Array): Pass
  /** Whether the file of the last `scan` meets the requirement with this index. */
  admits(requirement: number): boolean
  /** Every requirement that it meets, ascending. It takes time by the literals found, not by the requirements that there are. */
  admitted(): number[]
  /** Where anchors begin in the file of the last `scan`, ascending by their ends; good until the next one. */
  anchors(): Int32Array
}

const NEWLINE = 10

/**
 * Builds the automaton for these requirements; index i of the list is what `admits(i)` answers for. Each place of an `anchors` text
 * (lower case) is noted, for detectors that look around it.
 */
export function buildPrefilter(requirements: readonly Requirement[], anchors: readonly string[] = []): Prefilter {
  const literals: { bytes: Uint8Array; word: boolean; call: boolean }[] = []
  const ids = new Map<string, number>()
  const idOf = ({ text, word, call = false }: Literal): number => {
    const key = `${word}:${call}:${text}`
    let id = ids.get(key)
    if (id === undefined) {
      id = literals.length
      ids.set(key, id)
      literals.push({ bytes: new TextEncoder().encode(text), word, call })
    }
    return id
  }
  const compiled = requirements.map(requirement => requirement.map((clause: Clause) => Int32Array.from(clause, idOf)))
  // Anchors follow the requirements' literals, so one comparison tells them apart.
  const firstAnchor = literals.length
  for (const text of anchors) literals.push({ bytes: new TextEncoder().encode(text), word: false, call: false })
  const { table, classes, classCount, outputs, resolve } = automaton(literals.map(({ bytes }) => bytes))
  const lengths = Int32Array.from(literals, ({ bytes }) => bytes.length)
  const isWord = Uint8Array.from(literals, ({ word }) => (word ? 1 : 0))
  const isCall = Uint8Array.from(literals, ({ call }) => (call ? 1 : 0))
  const seen = new Int32Array(literals.length)
  let stamp = 0
  let places = new Int32Array(anchors.length > 0 ? 1024 : 0)
  let placed = 0
  // Each requirement waits at the literals of its first clause; without a clause it is always met.
  const always: number[] = []
  const waiting: number[][] = literals.map(() => [])
  compiled.forEach((clauses, requirement) => {
    if (clauses.length === 0) always.push(requirement)
    else for (const id of clauses[0]!) waiting[id]!.push(requirement)
  })
  const met: number[] = []
  const admits = (requirement: number): boolean => {
    for (const clause of compiled[requirement]!) {
      let any = false
      for (let k = 0; k < clause.length && !any; k++) any = seen[clause[k]!] === stamp
      if (!any) return false
    }
    return true
  }
  const place = (at: number): void => {
    if (placed === places.length) {
      const larger = new Int32Array(placed * 2)
      larger.set(places)
      places = larger
    }
    places[placed++] = at
  }

  return {
    scan(bytes) {
      stamp++
      placed = 0
      met.length = 0
      let state = 0
      let lines = 0
      let blank = 0
      let longest = 0
      let lineStart = 0
      const length = bytes.length
      for (let i = 0; i < length; i++) {
        // Rows are premultiplied by the class count; a negative target is a state that ends a literal or a line.
        const entry = state + classes[bytes[i]!]!
        state = table[entry]!
        if (state >= 0) continue
        if (state === UNKNOWN) {
          state = resolve(entry)
          if (state >= 0) continue
        }
        state = ~state
        if (bytes[i] === NEWLINE) {
          const size = i - lineStart
          if (size > longest) longest = size
          if (size === 0 || (size === 1 && bytes[lineStart] === 13)) blank++
          lines++
          lineStart = i + 1
        }
        const ended = outputs[state / classCount]
        if (ended === undefined) continue
        for (let k = 0; k < ended.length; k++) {
          const id = ended[k]!
          if (id >= firstAnchor) {
            place(i + 1 - lengths[id]!)
            continue
          }
          if (seen[id] === stamp) continue
          if (isWord[id] === 1 && (partOfWord(bytes[i + 1]) || partOfWord(bytes[i - lengths[id]!]))) continue
          if (isCall[id] === 1 && !callFollows(bytes, i + 1)) continue
          seen[id] = stamp
          met.push(id)
        }
      }
      if (lineStart < length) {
        lines++
        longest = Math.max(longest, length - lineStart)
      }
      return { lines, blank_lines: blank, longest_line: longest }
    },
    admits,
    admitted() {
      const found = new Set(always)
      for (const id of met) {
        for (const requirement of waiting[id]!)
          if (!found.has(requirement) && admits(requirement)) found.add(requirement)
      }
      return [...found].sort((a, b) => a - b)
    },
    anchors: () => places.subarray(0, placed),
  }
}

/** ASCII only: a byte beyond it may be white space (U+00A0 before an identifier), and a wrong "yes" would hide a finding. */
function partOfWord(byte: number | undefined): boolean {
  if (byte === undefined) return false
  return (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || (byte >= 48 && byte <= 57) || byte === 95
}

/** Whether what follows may be a call's parenthesis: one, or what could stand before it (a comment, a line's continuation). */
function callFollows(bytes: Uint8Array, from: number): boolean {
  let at = from
  while (at < bytes.length && (bytes[at]! <= 32 || bytes[at]! >= 128)) at++
  const byte = bytes[at]
  return byte === 40 || byte === 47 || byte === 35 || byte === 92
}

interface Automaton {
  /**
   * Next state × class count for state × class count + class; ~next where next has outputs or the byte was a newline,
   * UNKNOWN where nobody has come by yet.
   */
  table: Int32Array
  classes: Uint8Array
  classCount: number
  /** Literals that end in a state, by state; told of those that the table leads to. */
  outputs: (Int32Array | undefined)[]
  /** Finds out an UNKNOWN entry, and fills it in. */
  resolve(entry: number): number
}

/** No state has this number, and it is below every ~state. */
const UNKNOWN = -0x80000000

/**
 * Aho and Corasick, "Efficient string matching" (1975). Only the trie is made at once. Where a state falls back to, what ends
 * in it, and the table that merges goto and failure are found out when a text comes by: all of it would take longer to
 * make than a commit hook has, and most of it is never visited.
 */
function automaton(words: readonly Uint8Array[]): Automaton {
  const { classes, classCount, newline } = classesOf(words)
  const room = words.reduce((sum, word) => sum + word.length, 1)
  // 0 is the root, to which no edge leads, so it also says that there is no edge.
  const edges = new Int32Array(room * classCount)
  const parents = new Int32Array(room)
  /** The last word that ends in a state, and for each word the one before it that ends in the same; -1 for none. */
  const lastEnd = new Int32Array(room).fill(-1)
  const endBefore = new Int32Array(words.length)
  let states = 1
  words.forEach((word, id) => {
    let state = 0
    for (let depth = 0; depth < word.length; depth++) {
      const edge = state * classCount + classes[word[depth]!]!
      if (edges[edge] === 0) {
        edges[edge] = states
        parents[states++] = edge
      }
      state = edges[edge]!
    }
    endBefore[id] = lastEnd[state]!
    lastEnd[state] = id
  })

  const fail = new Int32Array(states).fill(-1)
  fail[0] = 0
  const follow = (from: number, c: number): number => {
    let state = from
    while (state !== 0 && edges[state * classCount + c] === 0) state = failOf(state)
    return edges[state * classCount + c]!
  }
  const failOf = (state: number): number => {
    if (fail[state] === -1) {
      const edge = parents[state]!
      const c = edge % classCount
      const parent = (edge - c) / classCount
      fail[state] = parent === 0 ? 0 : follow(failOf(parent), c)
    }
    return fail[state]!
  }
  const outputs: (Int32Array | undefined)[] = new Array(states)
  const known = new Uint8Array(states)
  const outputsOf = (state: number): Int32Array | undefined => {
    if (state !== 0 && known[state] === 0) {
      known[state] = 1
      const ids: number[] = []
      for (let id = lastEnd[state]!; id !== -1; id = endBefore[id]!) ids.push(id)
      const shorter = outputsOf(failOf(state))
      if (ids.length > 0) outputs[state] = Int32Array.from(shorter ? [...ids, ...shorter] : ids)
      else if (shorter) outputs[state] = shorter
    }
    return outputs[state]
  }

  const table = new Int32Array(states * classCount).fill(UNKNOWN)
  const resolve = (entry: number): number => {
    const c = entry % classCount
    const target = follow((entry - c) / classCount, c)
    const row = target * classCount
    table[entry] = outputsOf(target) !== undefined || c === newline ? ~row : row
    return table[entry]!
  }
  return { table, classes, classCount, resolve, outputs }
}

/** A class for each byte that occurs in a word, upper and lower case together, and for the newline; 0 for all others. */
function classesOf(words: readonly Uint8Array[]): { classes: Uint8Array; classCount: number; newline: number } {
  const classes = new Uint8Array(256)
  let classCount = 1
  const add = (byte: number): void => {
    const folded = byte >= 65 && byte <= 90 ? byte + 32 : byte
    if (classes[folded] !== 0) return
    classes[folded] = classCount++
    if (folded >= 97 && folded <= 122) classes[folded - 32] = classes[folded]!
  }
  add(NEWLINE)
  for (const word of words) for (const byte of word) add(byte)
  return { classes, classCount, newline: classes[NEWLINE]! }
}
