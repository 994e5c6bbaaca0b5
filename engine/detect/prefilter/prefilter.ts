import type { TextSize } from '../../base/records/file-metrics.ts'
import { buildAutomaton, UNKNOWN } from './automaton.ts'
import { CompiledPass } from './compiled-pass.ts'
import { CALL, type LiteralTrie, WORD } from './literal-trie.ts'

/**
 * An Aho–Corasick automaton over bytes, ASCII case folded, for all literals of a rule set. One pass finds every literal
 * and counts the lines on the way; then `admits` says for each requirement whether it can hold.
 */
export interface Prefilter {
  scan(bytes: Uint8Array): TextSize
  /** Whether the file of the last `scan` meets the requirement with this index. */
  admits(requirement: number): boolean
  /** Every requirement that it meets, ascending. It takes time by the literals found, not by the requirements that there are. */
  admitted(): number[]
  /** Where anchors begin in the file of the last `scan`, ascending by their ends; good until the next one. */
  anchors(): Int32Array
}

const NEWLINE = 10
/** Who has read so many bytes will read more: from then on the pass is the compiled one, which costs something to make. */
const MUCH = 1 << 22

/**
 * The prefilter for requirements of a trie: index i is what `admits(i)` answers for, and `chosen[i]` its number in the trie,
 * which may hold more; what no chosen one asks for is not looked for. The trie's anchors are where `asksForAnchors`. When
 * `much` has been read, in bytes, the rest is read by compiled code.
 */
export function makePrefilter(trie: LiteralTrie, chosen: Int32Array, asksForAnchors: boolean, much = MUCH): Prefilter {
  const { classes, classCount, lengths, kinds, firstAnchor, endAnchor, clauses, requirements, opens } = trie
  const { always, owners } = ownersOf(trie, chosen)
  const made = buildAutomaton(trie, wanted(trie, owners, asksForAnchors))
  const { root, outputs } = made
  const seen = new Int32Array(lengths.length)
  /** The round in which each requirement was last asked. */
  const asked = new Int32Array(chosen.length)
  let round = 0
  let stamp = 0
  let places = new Int32Array(asksForAnchors ? 1024 : 0)
  let placed = 0
  const met: number[] = []
  const admits = (index: number): boolean => {
    const requirement = chosen[index]!
    const end = requirements[requirement + 1]!
    for (let clause = requirements[requirement]!; clause < end; clause++) {
      const last = clauses.starts[clause + 1]!
      let any = false
      for (let k = clauses.starts[clause]!; k < last && !any; k++) any = seen[clauses.items[k]!] === stamp
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

  const note = (ended: Int32Array, bytes: Uint8Array, end: number): void => {
    for (let k = 0; k < ended.length; k++) {
      const id = ended[k]!
      if (id >= firstAnchor && id < endAnchor) {
        place(end - lengths[id]!)
        continue
      }
      if (seen[id] === stamp) continue
      const kind = kinds[id]!
      if ((kind & WORD) !== 0 && (partOfWord(bytes[end]) || partOfWord(bytes[end - 1 - lengths[id]!]))) continue
      if ((kind & CALL) !== 0 && !callFollows(bytes, end)) continue
      seen[id] = stamp
      met.push(id)
    }
  }

  const meet = (id: number): void => {
    seen[id] = stamp
    met.push(id)
  }
  let read = 0
  let compiled: CompiledPass | null | undefined
  const readCompiled = (bytes: Uint8Array): TextSize | undefined => {
    if (read < much) {
      read += bytes.length
      return undefined
    }
    if (compiled === undefined) compiled = CompiledPass.make(trie, made, { meet, place }) ?? null
    return compiled?.scan(bytes)
  }

  return {
    scan(bytes) {
      stamp++
      placed = 0
      met.length = 0
      const size = readCompiled(bytes)
      if (size) return size
      let { table } = made
      let row = root
      let lines = 0
      let longest = 0
      let lineStart = 0
      const length = bytes.length
      for (let i = 0; i < length; i++) {
        let byte = 0
        let entry = 0
        // Nearly all bytes end here: what is to be done for the others is kept out of the loop that they are in.
        for (; i < length; i++) {
          byte = bytes[i]!
          entry = row + classes[byte]!
          row = table[entry]!
          if (row <= 0 || byte === NEWLINE) break
        }
        if (byte === NEWLINE && i < length) {
          const size = i - lineStart
          if (size > longest) longest = size
          lines++
          lineStart = i + 1
        }
        if (row > 0) continue
        if (row === UNKNOWN) {
          row = made.resolve(entry)
          table = made.table
          if (row > 0) continue
        }
        row = -row
        note(outputs[row / classCount]!, bytes, i + 1)
      }
      if (lineStart < length) {
        lines++
        longest = Math.max(longest, length - lineStart)
      }
      return { lines, longest_line: longest }
    },
    admits,
    admitted() {
      const found: number[] = []
      round++
      for (const id of met) {
        const end = opens.starts[id + 1]!
        for (let at = opens.starts[id]!; at < end; at++) {
          for (let own = owners.first[opens.items[at]!]!; own !== 0; own = owners.next[own - 1]!) {
            if (asked[own - 1] === round) continue
            asked[own - 1] = round
            if (admits(own - 1)) found.push(own - 1)
          }
        }
      }
      return merge(
        always,
        found.sort((a, b) => a - b),
      )
    },
    anchors: () => places.subarray(0, placed),
  }
}

/** Two ascending lists as one, of which none has what the other has. */
function merge(one: readonly number[], other: readonly number[]): number[] {
  const all: number[] = []
  let at = 0
  for (const each of one) {
    while (at < other.length && other[at]! < each) all.push(other[at++]!)
    all.push(each)
  }
  while (at < other.length) all.push(other[at++]!)
  return all
}

/** Which of the chosen ones each requirement of the trie is, plus one, and the next that is the same; 0 for none. */
interface Owners {
  first: Int32Array
  next: Int32Array
}

/** Of the chosen requirements, by their indexes: those without a clause, which are always met, and whose each requirement is. */
function ownersOf({ requirements }: LiteralTrie, chosen: Int32Array): { always: number[]; owners: Owners } {
  const first = new Int32Array(requirements.length)
  const next = new Int32Array(chosen.length)
  const always: number[] = []
  for (let own = 0; own < chosen.length; own++) {
    const requirement = chosen[own]!
    if (requirements[requirement] === requirements[requirement + 1]) always.push(own)
    next[own] = first[requirement]!
    first[requirement] = own + 1
  }
  return { always, owners: { first, next } }
}

const WANTED = 1
const UNWANTED = 2

/** Tells the literals that one of the chosen requirements names, and the anchors where they are asked for; found out when it is asked, as few are. */
function wanted(
  { lengths, firstAnchor, endAnchor, serves }: LiteralTrie,
  { first }: Owners,
  asksForAnchors: boolean,
): (literal: number) => boolean {
  const judged = new Uint8Array(lengths.length)
  return literal => {
    if (literal >= firstAnchor && literal < endAnchor) return asksForAnchors
    if (judged[literal] === 0) {
      const end = serves.starts[literal + 1]!
      let at = serves.starts[literal]!
      while (at < end && first[serves.items[at]!] === 0) at++
      judged[literal] = at < end ? WANTED : UNWANTED
    }
    return judged[literal] === WANTED
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
