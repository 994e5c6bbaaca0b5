import type { Literal, Requirement } from '../rules/requirement.ts'

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
  /** Literals from the first to before the other are anchors. */
  firstAnchor: number
  endAnchor: number
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
export function buildLiteralTrie(requirements: readonly Requirement[], anchors: readonly string[] = []): LiteralTrie {
  return grown(NOTHING, requirements, anchors)
}

/** The trie with more requirements behind its own, which keep their numbers: that of svc's own rules need not be put together again for a few of a repository's. */
export function extendTrie(trie: LiteralTrie, requirements: readonly Requirement[]): LiteralTrie {
  const { firstAnchor, endAnchor } = trie
  return { ...grown(trie, requirements, []), firstAnchor, endAnchor }
}

function grown(base: LiteralTrie, requirements: readonly Requirement[], anchors: readonly string[]): LiteralTrie {
  const known = base.lengths.length
  const literals: { bytes: Uint8Array; kind: number }[] = []
  const ids = new Map<string, number>()
  const encoder = new TextEncoder()
  const idOf = ({ text, word, call = false }: Literal): number => {
    const kind = (word ? WORD : 0) | (call ? CALL : 0)
    const key = `${kind}${text}`
    let id = ids.get(key)
    if (id === undefined) {
      id = known + literals.push({ bytes: encoder.encode(text), kind }) - 1
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
  const firstAnchor = known + literals.length
  for (const text of anchors) literals.push({ bytes: encoder.encode(text), kind: 0 })
  const words = literals.map(({ bytes }) => bytes)
  const held = base.requirements.length - 1
  return {
    ...statesOf(words, base),
    lengths: joined(
      base.lengths,
      words.map(({ length }) => length),
    ),
    kinds: Uint8Array.of(...base.kinds, ...literals.map(({ kind }) => kind)),
    firstAnchor,
    endAnchor: known + literals.length,
    clauses: behind(base.clauses, clauses, 0),
    requirements: startsBehind(base.requirements, starts),
    opens: behind(base.opens, holders(clauses, starts, true, known, literals.length), held),
    serves: behind(base.serves, holders(clauses, starts, false, known, literals.length), held),
  }
}

/** The lists of one behind those of the other, each of whose items is so much more there. */
function behind(base: Lists, more: Lists, shift: number): Lists {
  return {
    starts: startsBehind(base.starts, more.starts),
    items: joined(base.items, shift === 0 ? more.items : more.items.map(item => item + shift)),
  }
}

/** Where lists begin that follow others, of which the last entry says where they end. */
function startsBehind(base: Column, more: Column): Column {
  const shift = base.at(-1)!
  return joined(
    base,
    more.subarray(1).map(start => start + shift),
  )
}

function joined(base: Column, more: ArrayLike<number>): Column {
  if (base.length === 0) return Int32Array.from(more)
  const all = new Int32Array(base.length + more.length)
  all.set(base)
  all.set(more, base.length)
  return all
}

const EMPTY: Lists = { starts: Int32Array.of(0), items: new Int32Array(0) }
/** A trie of the root alone. */
const NOTHING: LiteralTrie = {
  classes: new Uint8Array(256),
  classCount: 1,
  children: Int32Array.of(0),
  siblings: Int32Array.of(0),
  edges: Uint8Array.of(0),
  parents: Int32Array.of(0),
  lastEnd: Int32Array.of(0),
  endBefore: new Int32Array(0),
  lengths: new Int32Array(0),
  kinds: new Uint8Array(0),
  firstAnchor: 0,
  endAnchor: 0,
  clauses: EMPTY,
  requirements: Int32Array.of(0),
  opens: EMPTY,
  serves: EMPTY,
}

/** Of each of so many literals from `known` on, the requirements that have it in their first clause, or in any, each once. */
function holders(clauses: Lists, requirements: Column, inFirst: boolean, known: number, literals: number): Lists {
  const each = (take: (literal: number, requirement: number) => void): void => {
    const last = new Int32Array(literals).fill(-1)
    for (let requirement = 0; requirement + 1 < requirements.length; requirement++) {
      const from = requirements[requirement]!
      const to = requirements[requirement + 1]!
      const end = clauses.starts[inFirst ? Math.min(from + 1, to) : to]!
      for (let at = clauses.starts[from]!; at < end; at++) {
        const literal = clauses.items[at]! - known
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

function statesOf(words: readonly Uint8Array[], base: States): States {
  const { classes, classCount } = classesOf(words, base)
  let states = base.children.length
  const room = words.reduce((sum, word) => sum + word.length, states)
  const copied = (column: Column): Int32Array => {
    const copy = new Int32Array(room)
    copy.set(column)
    return copy
  }
  const children = copied(base.children)
  const siblings = copied(base.siblings)
  const parents = copied(base.parents)
  const lastEnd = copied(base.lastEnd)
  const edges = new Uint8Array(room)
  edges.set(base.edges)
  const known = base.endBefore.length
  const endBefore = new Int32Array(known + words.length)
  endBefore.set(base.endBefore)
  words.forEach((word, index) => {
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
    endBefore[known + index] = lastEnd[state]!
    lastEnd[state] = known + index + 1
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

/** A class for each byte that occurs in a word, upper and lower case together, behind those that there are; 0 for all others. */
function classesOf(words: readonly Uint8Array[], base: States): Pick<States, 'classes' | 'classCount'> {
  const occurs = new Uint8Array(256)
  for (const word of words) for (const byte of word) occurs[folded(byte)] = 1
  const classes = base.classes.slice()
  let { classCount } = base
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
