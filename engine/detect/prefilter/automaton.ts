import type { LiteralTrie } from './literal-trie.ts'

/** An automaton over bytes that finds the wanted literals of a trie. */
export interface Automaton {
  /**
   * Next row for row + class; the row is negative where literals end in its state, and UNKNOWN where nobody has come by yet. Another
   * array after `resolve`, where that needed more room.
   */
  table: Int32Array
  /** Row of the state in which nothing has begun. */
  root: number
  /** Literals that end in a row's state, by row / class count; told of those that the table leads to. */
  outputs: (Int32Array | undefined)[]
  /** Finds out an UNKNOWN entry, and fills it in. */
  resolve(entry: number): number
}

/** No row is 0, and fresh memory is, so a table costs nothing before it is used. */
export const UNKNOWN = 0

const USEFUL = 1
const USELESS = 2

/** Rows that there is room for at first; texts of one kind come by some hundred. */
const ROOM = 512

/**
 * Aho and Corasick, "Efficient string matching" (1975), over the literals that are wanted. Only the trie is given. Where a
 * state falls back to, what ends in it, and the table that merges goto and failure are found out when a text comes by: all of it would
 * take longer to make than a commit hook has, and most of it is never visited. A state gets its row when it is first come to, so
 * those that texts are in most of the time lie together. The clock may break off the pass over a file anywhere, and the next file goes on
 * with what is found out by then: a thing is marked as known only when it is.
 */
export function buildAutomaton(trie: LiteralTrie, isWanted: (literal: number) => boolean): Automaton {
  const { classCount, children, siblings, edges, parents, lastEnd, endBefore } = trie
  const states = children.length
  const judged = new Uint8Array(states)
  /** Whether the state is on the way to a literal that is wanted. */
  const isUseful = (state: number): boolean => {
    if (judged[state] === 0) {
      let end = lastEnd[state]!
      while (end !== 0 && !isWanted(end - 1)) end = endBefore[end - 1]!
      let child = end === 0 ? children[state]! : 0
      while (child !== 0 && !isUseful(child)) child = siblings[child]!
      judged[state] = end !== 0 || child !== 0 ? USEFUL : USELESS
    }
    return judged[state] === USEFUL
  }
  // Most searches end at the root, which has a child for nearly every sign.
  const first = new Int32Array(classCount)
  for (let child = children[0]!; child !== 0; child = siblings[child]!) first[edges[child]!] = child
  const childOf = (state: number, edge: number): number => {
    if (state === 0) return first[edge] !== 0 && isUseful(first[edge]!) ? first[edge]! : 0
    let child = children[state]!
    while (child !== 0 && edges[child] !== edge) child = siblings[child]!
    return child !== 0 && isUseful(child) ? child : 0
  }
  // Of tens of thousands of states texts come by some hundred: a place for each would cost a hook more than looking these up.
  /** Where states fall back to, of those that were asked. */
  const fail = new Map<number, number>([[0, 0]])
  const follow = (from: number, edge: number): number => {
    for (let state = from; ; state = failOf(state)) {
      const child = childOf(state, edge)
      if (child !== 0 || state === 0) return child
    }
  }
  const failOf = (state: number): number => {
    let known = fail.get(state)
    if (known === undefined) {
      const parent = parents[state]!
      known = parent === 0 ? 0 : follow(failOf(parent), edges[state]!)
      fail.set(state, known)
    }
    return known
  }
  const ended = new Map<number, Int32Array | undefined>([[0, undefined]])
  const endedIn = (state: number): Int32Array | undefined => {
    if (ended.has(state)) return ended.get(state)
    const ids: number[] = []
    for (let end = lastEnd[state]!; end !== 0; end = endBefore[end - 1]!) if (isWanted(end - 1)) ids.push(end - 1)
    const shorter = endedIn(failOf(state))
    const all = ids.length === 0 ? shorter : Int32Array.from(shorter ? [...ids, ...shorter] : ids)
    ended.set(state, all)
    return all
  }
  const rowOf = new Map<number, number>()
  // Row 0 is nobody's.
  const stateOf: number[] = [-1]
  const outputs: (Int32Array | undefined)[] = [undefined]
  const made: Automaton = { table: new Int32Array(ROOM * classCount), root: classCount, outputs, resolve }
  const rowFor = (state: number): number => {
    let row = rowOf.get(state)
    if (row === undefined) {
      const literals = endedIn(state)
      row = stateOf.length
      if ((row + 1) * classCount > made.table.length) {
        const larger = new Int32Array(made.table.length * 2)
        larger.set(made.table)
        made.table = larger
      }
      stateOf[row] = state
      outputs[row] = literals
      rowOf.set(state, row)
    }
    return row
  }
  rowFor(0)
  function resolve(entry: number): number {
    const edge = entry % classCount
    const row = rowFor(follow(stateOf[(entry - edge) / classCount]!, edge))
    const next = outputs[row] === undefined ? row * classCount : -row * classCount
    made.table[entry] = next
    return next
  }
  return made
}
