import type { Literal, Requirement } from './literals.ts'

/** Numbers from 0 on. */
export type Column = Uint16Array | Int32Array

/** Lists one behind the other: the i-th is `items` from `starts[i]` to `starts[i + 1]`. */
export interface Lists {
  starts: Column
  items: Column
}

/**
 * All literals of a set of requirements as a trie over bytes, ASCII case folded, and what waits for which of them. Flat
 * numbers: it takes longer to put together than a commit hook has, so that of svc's own rules is made with the program.
 */
export interface LiteralTrie {
  /** Class of each byte, upper and lower case together; 0 for those that occur in no literal. */
  classes: Uint8Array
  classCount: number
  /** First child of each state, next sibling, class of the edge that leads to it, and where that comes from; 0 is the root, and no child. */
  children: Column
  siblings: Column
  edges: Uint8Array
  parents: Column
  /** The last literal that ends in each state, and for each literal the one before it that ends in the same, plus one; 0 for none. */
  lastEnd: Column
  endBefore: Column
  /** Of each literal, in bytes. */
  lengths: Column
  /** WORD and CALL of each literal. */
  kinds: Uint8Array
  /** Literals from this one on are anchors. */
  firstAnchor: number
  /** Clauses of each requirement, as literals; a requirement's clauses follow each other. */
  clauses: Lists
  /** First clause of each requirement, and the end of the last one's. */
  requirements: Column
  /** Of each literal, the requirements whose first clause it is in, and all that it is in. */
  opens: Lists
  serves: Lists
}

/** The literal stands between characters that are no part of an identifier. */
export const WORD = 1
/** A parenthesis follows. */
export const CALL = 2

/**
 * Puts requirements together; index i of the list is requirement i of the trie. `anchors` are texts (lower case) whose
 * every place is asked for.
 */
export function literalTrie(requirements: readonly Requirement[], anchors: readonly string[] = []): LiteralTrie {
  const literals: { bytes: Uint8Array; kind: number }[] = []
  const ids = new Map<string, number>()
  const encoder = new TextEncoder()
  const idOf = ({ text, word, call = false }: Literal): number => {
    const kind = (word ? WORD : 0) | (call ? CALL : 0)
    const key = `${kind}${text}`
    let id = ids.get(key)
    if (id === undefined) {
      id = literals.push({ bytes: encoder.encode(text), kind }) - 1
      ids.set(key, id)
    }
    return id
  }
  const clauses = listsOf(requirements.flatMap(clauses => clauses.map(clause => clause.map(idOf))))
  const starts = new Int32Array(requirements.length + 1)
  requirements.forEach((own, index) => {
    starts[index + 1] = starts[index]! + own.length
  })
  // Anchors follow the requirements' literals, so one comparison tells them apart.
  const firstAnchor = literals.length
  for (const text of anchors) literals.push({ bytes: encoder.encode(text), kind: 0 })
  const words = literals.map(({ bytes }) => bytes)
  return {
    ...statesOf(words),
    lengths: Int32Array.from(words, ({ length }) => length),
    kinds: Uint8Array.from(literals, ({ kind }) => kind),
    firstAnchor,
    clauses,
    requirements: starts,
    opens: holders(clauses, starts, true, literals.length),
    serves: holders(clauses, starts, false, literals.length),
  }
}

/** Of each of so many literals, the requirements that have it in their first clause, or in any, each once. */
function holders(clauses: Lists, requirements: Column, inFirst: boolean, literals: number): Lists {
  const each = (take: (literal: number, requirement: number) => void): void => {
    const last = new Int32Array(literals).fill(-1)
    for (let requirement = 0; requirement + 1 < requirements.length; requirement++) {
      const from = requirements[requirement]!
      const to = requirements[requirement + 1]!
      const end = clauses.starts[inFirst ? Math.min(from + 1, to) : to]!
      for (let at = clauses.starts[from]!; at < end; at++) {
        const literal = clauses.items[at]!
        if (last[literal] !== requirement) take(literal, requirement)
        last[literal] = requirement
      }
    }
  }
  const starts = new Int32Array(literals + 1)
  each(literal => {
    starts[literal + 1]!++
  })
  for (let literal = 0; literal < literals; literal++) starts[literal + 1]! += starts[literal]!
  const items = new Int32Array(starts[literals]!)
  const next = starts.slice()
  each((literal, requirement) => {
    items[next[literal]!++] = requirement
  })
  return { starts, items }
}

/** One list behind the other. */
function listsOf(lists: readonly (readonly number[])[]): Lists {
  const starts = new Int32Array(lists.length + 1)
  lists.forEach((list, index) => {
    starts[index + 1] = starts[index]! + list.length
  })
  return { starts, items: Int32Array.from(lists.flat()) }
}

type States = Pick<
  LiteralTrie,
  'classes' | 'classCount' | 'children' | 'siblings' | 'edges' | 'parents' | 'lastEnd' | 'endBefore'
>

function statesOf(words: readonly Uint8Array[]): States {
  const { classes, classCount } = classesOf(words)
  const room = words.reduce((sum, word) => sum + word.length, 1)
  const children = new Int32Array(room)
  const siblings = new Int32Array(room)
  const edges = new Uint8Array(room)
  const parents = new Int32Array(room)
  const lastEnd = new Int32Array(room)
  const endBefore = new Int32Array(words.length)
  let states = 1
  words.forEach((word, id) => {
    let state = 0
    for (let depth = 0; depth < word.length; depth++) {
      const edge = classes[word[depth]!]!
      let child = children[state]!
      while (child !== 0 && edges[child] !== edge) child = siblings[child]!
      if (child === 0) {
        child = states++
        edges[child] = edge
        parents[child] = state
        siblings[child] = children[state]!
        children[state] = child
      }
      state = child
    }
    endBefore[id] = lastEnd[state]!
    lastEnd[state] = id + 1
  })
  return {
    classes,
    classCount,
    children: children.slice(0, states),
    siblings: siblings.slice(0, states),
    edges: edges.slice(0, states),
    parents: parents.slice(0, states),
    lastEnd: lastEnd.slice(0, states),
    endBefore,
  }
}

/** The signs that programs are mostly written in, most frequent first: their classes are neighbours, and so share what a processor fetches at once. */
const FREQUENT = ' etaisrnoldcpfumg_hb0x\n1,v2(y;)=kw-*>'

/** A class for each byte that occurs in a word, upper and lower case together; 0 for all others. */
function classesOf(words: readonly Uint8Array[]): { classes: Uint8Array; classCount: number } {
  const occurs = new Uint8Array(256)
  for (const word of words) for (const byte of word) occurs[folded(byte)] = 1
  const classes = new Uint8Array(256)
  let classCount = 1
  const add = (byte: number): void => {
    if (occurs[byte] === 0 || classes[byte] !== 0) return
    classes[byte] = classCount++
    if (byte >= 97 && byte <= 122) classes[byte - 32] = classes[byte]!
  }
  for (const sign of FREQUENT) add(sign.charCodeAt(0))
  for (let byte = 0; byte < 256; byte++) add(byte)
  return { classes, classCount }
}

function folded(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte + 32 : byte
}
