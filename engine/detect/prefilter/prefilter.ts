import type { TextSize } from '../../base/records/file-metrics.ts'
import type { LiteralTrie } from './literal-trie.ts'
import { Pass } from './pass.ts'
import { Sightings } from './sightings.ts'

/**
 * An Aho–Corasick automaton over bytes, ASCII case folded, for all literals of a rule set. One pass finds every literal
 * and counts the lines on the way; then `admits` says for each requirement whether it can hold.
 */
export interface Prefilter {
  /** Reads a text. Where its language is given, what is asked for in other languages alone may be missed in it. */
  scan(bytes: Uint8Array, language?: string): TextSize
  /** Whether the file of the last `scan` meets the requirement with this index. */
  admits(requirement: number): boolean
  /** Every requirement that it meets, ascending. It takes time by the literals found, not by the requirements that there are. */
  admitted(): number[]
  /** Where anchors begin in the file of the last `scan`, ascending by their ends; good until the next one. */
  anchors(): Int32Array
}

export interface Options {
  /** Whether the trie's anchors are looked for. */
  asksForAnchors: boolean
  /** Whether a requirement is asked for in a language; undefined where all are, in each. */
  isAskedIn?: ((index: number, language: string) => boolean) | undefined
  /** So many bytes an automaton reads before its pass is the compiled one. */
  much?: number
  /** So many bytes of a language are read before it has an automaton of its own. */
  enough?: number
}

const MUCH = 1 << 22
const ENOUGH = 1 << 20
/** Each has some megabytes; the languages beyond share one. */
const MOST_OWN = 6

/**
 * The prefilter for requirements of a trie: index i is what `admits(i)` answers for, and `chosen[i]` its number in the trie,
 * which may hold more; what no chosen one asks for is not looked for. All languages share an automaton, but for those of which much is read:
 * with the literals of one language alone it is three times as fast.
 */
export function makePrefilter(
  trie: LiteralTrie,
  chosen: Int32Array,
  { asksForAnchors, isAskedIn, much = MUCH, enough = ENOUGH }: Options,
): Prefilter {
  const { clauses, requirements, opens } = trie
  const { always, owners } = ownersOf(trie, chosen)
  const sightings = new Sightings(trie.lengths.length, asksForAnchors)
  const makePass = (isAsked: (index: number) => boolean): Pass =>
    new Pass(trie, wanted(trie, owners, isAsked, asksForAnchors), sightings, much)
  const shared = makePass(() => true)
  const own = new Map<string, Pass>()
  /** Bytes that were read of each language. */
  const read = new Map<string, number>()
  const findPass = (language: string | undefined, bytes: number): Pass => {
    if (language === undefined || isAskedIn === undefined) return shared
    const known = own.get(language)
    if (known) return known
    const sum = (read.get(language) ?? 0) + bytes
    read.set(language, sum)
    if (sum < enough || own.size === MOST_OWN) return shared
    const made = makePass(index => isAskedIn(index, language))
    own.set(language, made)
    return made
  }
  /** The round in which each requirement was last asked. */
  const asked = new Int32Array(chosen.length)
  let round = 0
  const admits = (index: number): boolean => {
    const requirement = chosen[index]!
    const end = requirements[requirement + 1]!
    for (let clause = requirements[requirement]!; clause < end; clause++) {
      const last = clauses.starts[clause + 1]!
      let any = false
      for (let k = clauses.starts[clause]!; k < last && !any; k++) any = sightings.has(clauses.items[k]!)
      if (!any) return false
    }
    return true
  }

  return {
    scan(bytes, language) {
      sightings.begin()
      return findPass(language, bytes.length).scan(bytes)
    },
    admits,
    admitted() {
      const found: number[] = []
      round++
      for (const id of sightings.literals) {
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
    anchors: () => sightings.places,
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

/** Tells the literals that a chosen requirement names which is asked, and the anchors where they are; found out when it is asked, as few are. */
function wanted(
  { lengths, firstAnchor, endAnchor, serves }: LiteralTrie,
  { first, next }: Owners,
  isAsked: (index: number) => boolean,
  asksForAnchors: boolean,
): (literal: number) => boolean {
  const judged = new Uint8Array(lengths.length)
  const isNamed = (literal: number): boolean => {
    const end = serves.starts[literal + 1]!
    for (let at = serves.starts[literal]!; at < end; at++)
      for (let own = first[serves.items[at]!]!; own !== 0; own = next[own - 1]!) if (isAsked(own - 1)) return true
    return false
  }
  return literal => {
    if (literal >= firstAnchor && literal < endAnchor) return asksForAnchors
    if (judged[literal] === 0) judged[literal] = isNamed(literal) ? WANTED : UNWANTED
    return judged[literal] === WANTED
  }
}
