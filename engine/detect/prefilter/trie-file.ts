import { readAsset } from '../../base/disk/assets.ts'
import type { Column, Lists, LiteralTrie } from './literal-trie.ts'

/** Name of the file in dist/ that holds the literals of svc's own rules. */
export const TRIE_FILE = 'literals.bin'

const COLUMNS = ['children', 'siblings', 'parents', 'lastEnd', 'endBefore', 'lengths', 'requirements'] as const
const LISTS = ['clauses', 'opens', 'serves'] as const
const BYTES = ['classes', 'edges', 'kinds'] as const

interface Header {
  classCount: number
  firstAnchor: number
  endAnchor: number
  /** Of each column: how many numbers it has, and of how many bytes. COLUMNS, the starts and items of LISTS, BYTES. */
  columns: [count: number, width: number][]
}

/**
 * The trie as one file: a line of JSON, then its columns in the machine's byte order, each filled up to a multiple of four bytes. Numbers
 * have two bytes each where all of a column fit, since each commit hook reads the file.
 */
export function encodeTrie(trie: LiteralTrie): Buffer {
  const columns = [
    ...COLUMNS.map(name => narrow(trie[name])),
    ...LISTS.flatMap(name => [narrow(trie[name].starts), narrow(trie[name].items)]),
    ...BYTES.map(name => trie[name]),
  ]
  const { classCount, firstAnchor, endAnchor } = trie
  const header: Header = {
    classCount,
    firstAnchor,
    endAnchor,
    columns: columns.map(({ length, BYTES_PER_ELEMENT }) => [length, BYTES_PER_ELEMENT]),
  }
  const text = JSON.stringify(header)
  const line = `${text.padEnd(filledUp(text.length + 1) - 1)}\n`
  return Buffer.concat([
    Buffer.from(line),
    ...columns.flatMap(({ buffer, byteOffset, byteLength }) => [
      new Uint8Array(buffer, byteOffset, byteLength),
      new Uint8Array(filledUp(byteLength) - byteLength),
    ]),
  ])
}

function narrow(column: Column): Column {
  return column.every(number => number <= 0xffff) ? Uint16Array.from(column) : column
}

function filledUp(bytes: number): number {
  return Math.ceil(bytes / 4) * 4
}

/** The trie of such a file. */
export function decodeTrie(bytes: Buffer): LiteralTrie {
  const end = bytes.indexOf(0x0a) + 1
  const { classCount, firstAnchor, endAnchor, columns } = JSON.parse(bytes.toString('latin1', 0, end)) as Header
  // A file that was read into a shared pool need not begin where numbers may.
  const own = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(new Uint8Array(bytes).buffer)
  let at = own.byteOffset + end
  const read = columns.map(([count, width]) => {
    const from = at
    at += filledUp(count * width)
    if (width === 1) return new Uint8Array(own.buffer, from, count)
    return width === 2 ? new Uint16Array(own.buffer, from, count) : new Int32Array(own.buffer, from, count)
  })
  const next = (): Column => read.shift() as Column
  const list = (): Lists => ({ starts: next(), items: next() })
  return {
    classCount,
    firstAnchor,
    endAnchor,
    children: next(),
    siblings: next(),
    parents: next(),
    lastEnd: next(),
    endBefore: next(),
    lengths: next(),
    requirements: next(),
    clauses: list(),
    opens: list(),
    serves: list(),
    classes: read.shift() as Uint8Array,
    edges: read.shift() as Uint8Array,
    kinds: read.shift() as Uint8Array,
  }
}

let known: LiteralTrie | undefined

/** The literals of svc's own rules, requirement by the rule's `number`; the last ones are the word that begins an inline suppression, and the signs of hidden secrets. */
export function loadBuiltinTrie(): LiteralTrie {
  known ??= decodeTrie(readAsset(TRIE_FILE))
  return known
}
