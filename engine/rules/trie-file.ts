import { readAsset } from '../assets.ts'
import type { LiteralTrie } from './literal-trie.ts'

/** Name of the file in dist/ that holds the literals of svc's own rules. */
export const TRIE_FILE = 'literals.bin'

const WIDE = ['children', 'siblings', 'parents', 'lastEnd', 'endBefore', 'lengths', 'requirements'] as const
const NARROW = ['classes', 'edges', 'kinds'] as const

interface Header {
  classCount: number
  firstAnchor: number
  /** Numbers of each column: WIDE, the clauses' starts and items, NARROW. */
  sizes: number[]
}

/** The trie as one file: a line of JSON, filled up to a multiple of four bytes, then its columns in the machine's byte order. */
export function trieBytes(trie: LiteralTrie): Buffer {
  const columns = [
    ...WIDE.map(name => trie[name]),
    trie.clauses.starts,
    trie.clauses.items,
    ...NARROW.map(name => trie[name]),
  ]
  const { classCount, firstAnchor } = trie
  const header: Header = { classCount, firstAnchor, sizes: columns.map(({ length }) => length) }
  const text = JSON.stringify(header)
  const line = `${text.padEnd(Math.ceil((text.length + 1) / 4) * 4 - 1)}\n`
  return Buffer.concat([
    Buffer.from(line),
    ...columns.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
  ])
}

/** The trie of such a file. */
export function trieOf(bytes: Buffer): LiteralTrie {
  const end = bytes.indexOf(0x0a) + 1
  const { classCount, firstAnchor, sizes } = JSON.parse(bytes.toString('latin1', 0, end)) as Header
  // A file that was read into a shared pool need not begin where numbers may.
  const own = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(new Uint8Array(bytes).buffer)
  let at = own.byteOffset + end
  const wide = sizes.slice(0, WIDE.length + 2).map(size => {
    const column = new Int32Array(own.buffer, at, size)
    at += size * 4
    return column
  })
  const narrow = sizes.slice(WIDE.length + 2).map(size => {
    const column = new Uint8Array(own.buffer, at, size)
    at += size
    return column
  })
  const [children, siblings, parents, lastEnd, endBefore, lengths, requirements, starts, items] = wide as Int32Array[]
  const [classes, edges, kinds] = narrow as Uint8Array[]
  return {
    classCount,
    firstAnchor,
    children: children!,
    siblings: siblings!,
    parents: parents!,
    lastEnd: lastEnd!,
    endBefore: endBefore!,
    lengths: lengths!,
    requirements: requirements!,
    clauses: { starts: starts!, items: items! },
    classes: classes!,
    edges: edges!,
    kinds: kinds!,
  }
}

let known: LiteralTrie | undefined

/** The literals of svc's own rules, requirement by the rule's `number`; the last ones are the word that begins an inline suppression, and the signs of hidden secrets. */
export function builtinTrie(): LiteralTrie {
  known ??= trieOf(readAsset(TRIE_FILE))
  return known
}
