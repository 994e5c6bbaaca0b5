import type { LiteralTrie } from './literal-trie.ts'

/** An automaton over bytes that finds every literal of a trie. */
export interface Automaton {
  /**
   * Next row for row + class, where a state's row is (its number + 1) × class count; the row is negative where literals
   * end in the state or the byte was a newline, and UNKNOWN where nobody has come by yet.
   */
  table: Int32Array
  /** Row of the state in which nothing has begun. */
  root: number
  /** Literals that end in a state, by state; told of those that the table leads to. */
  outputs: (Int32Array | undefined)[]
  /** Finds out an UNKNOWN entry, and fills it in. */
  resolve(entry: number): number
}

/** No row is 0, and fresh memory is, so a table costs nothing before it is used. */
export const UNKNOWN = 0

/**
 * Aho and Corasick, "Efficient string matching" (1975). Only the trie is given. Where a state falls back to, what ends in it,
 * and the table that merges goto and failure are found out when a text comes by: all of it would take longer to make than
 * a commit hook has, and most of it is never visited.
 */
export function automaton(trie: LiteralTrie): Automaton {
  const { classCount, newline, children, siblings, edges, parents, lastEnd, endBefore } = trie
  const states = children.length
  const childOf = (state: number, edge: number): number => {
    let child = children[state]!
    while (child !== 0 && edges[child] !== edge) child = siblings[child]!
    return child
  }
  const fail = new Int32Array(states).fill(-1)
  fail[0] = 0
  const follow = (from: number, edge: number): number => {
    for (let state = from; ; state = failOf(state)) {
      const child = childOf(state, edge)
      if (child !== 0 || state === 0) return child
    }
  }
  const failOf = (state: number): number => {
    if (fail[state] === -1) {
      const parent = parents[state]!
      fail[state] = parent === 0 ? 0 : follow(failOf(parent), edges[state]!)
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
  const table = new Int32Array((states + 1) * classCount)
  const resolve = (entry: number): number => {
    const edge = entry % classCount
    const target = follow((entry - edge) / classCount - 1, edge)
    const row = (target + 1) * classCount
    table[entry] = outputsOf(target) !== undefined || edge === newline ? -row : row
    return table[entry]!
  }
  return { table, root: classCount, resolve, outputs }
}
