import type { TextSize } from '../../base/records/file-metrics.ts'
import { type Automaton, UNKNOWN } from './automaton.ts'
import type { LiteralTrie } from './literal-trie.ts'
import { LANES, LAYOUT, PASS } from './pass.gen.ts'
import type { Sightings } from './sightings.ts'

/** Rows and literals have two bytes each, a row's highest bit says that literals end in it, and each row has room for so many classes. */
const MOST_ROWS = 0x7fff
const MOST_LITERALS = 0xfffe
const CLASSES = 128
const ENDS = 0x8000
const LAST = 0xffff
/** What a literal is: its kind (`WORD`, `CALL`), whether it is an anchor, and its length above these. */
const KINDS = 3
const ANCHOR = 4
/** Room for what ends in all rows, in bytes. */
const OUTPUT_ROOM = 1 << 20
/** A longer text is not handed over: there would have to be a copy of it. */
const LONGEST_TEXT = 1 << 25
/** Shorter texts are read from one place: in several, what each has to read twice would weigh more. */
const SHORTEST_APART = 1024
const PAGE = 65_536
/** Stands before and behind a text: part of no word, and ends the way to a call. Behind it so often as is read at once. */
const BORDER = 33
const BORDERS = 16

/** What the module has (scripts/generate-pass.ts). */
interface Exports {
  count(at: number, end: number): void
  one(count: number, at: number): void
  all(count: number, ...at: number[]): void
}

interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): void
}

/** What there is of https://webassembly.github.io/spec/js-api/ and is used here; the types of Node have none of it. */
interface Api {
  Memory: new (limits: { initial: number; maximum: number }) => Memory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, host: object) => { exports: object }
  CompileError: new () => Error
}

type Cell = 'table' | 'outputs' | 'done' | 'facts' | 'seen' | 'list' | 'stamp' | 'met' | 'lines' | 'longest'

/**
 * The pass over a text's bytes in WebAssembly: the automaton's table in half of the bytes, and four places of a long text read in turn, since
 * what a single one waits for is the table. It takes a moment to make, and memory, so that it is for who has much to read. As in the automaton,
 * the clock may break it off anywhere: a row is entered in the table when all is known of it.
 */
export class CompiledPass {
  readonly #automaton: Automaton
  readonly #classCount: number
  readonly #sightings: Sightings
  readonly #memory: Memory
  readonly #exports: Exports
  readonly #cells: Readonly<Record<Cell, { value: number }>>
  /** The longest literal. */
  readonly #longest: number
  readonly #at: { table: number; outputs: number; list: number; text: number }
  readonly #outputEnd: number
  /** Rows whose literals are written down. */
  readonly #known = new Uint8Array(MOST_ROWS + 1)
  /** Where anchors begin that a lane had no more room for. */
  readonly #flushed: number[][] = Array.from({ length: LANES }, () => [])
  #bytes: Uint8Array
  #table: Uint16Array
  #outputAt: number
  /** A text had more in it than there is room for, and so will others. */
  #isFull = false
  #stamp = 0

  /** Undefined where the literals, or the machine's memory, do not allow for it. */
  static make(trie: LiteralTrie, automaton: Automaton, sightings: Sightings): CompiledPass | undefined {
    if (trie.classCount > CLASSES || trie.lengths.length > MOST_LITERALS) return undefined
    const api = (globalThis as unknown as { WebAssembly: Api }).WebAssembly
    try {
      return new CompiledPass(api, trie, automaton, sightings)
    } catch (error) {
      // So much of an address space is not everywhere to be had.
      if (error instanceof RangeError || error instanceof api.CompileError) return undefined
      throw error
    }
  }

  private constructor(api: Api, trie: LiteralTrie, automaton: Automaton, sightings: Sightings) {
    const { lengths, kinds, firstAnchor, endAnchor } = trie
    this.#automaton = automaton
    this.#classCount = trie.classCount
    this.#sightings = sightings
    let next = LAYOUT.lanes + LANES * 16
    const reserve = (bytes: number): number => {
      const from = Math.ceil(next / 64) * 64
      next = from + bytes
      return from
    }
    const rows = 4 * (MOST_ROWS + 1)
    const places = reserve(LANES * LAYOUT.places * 4)
    const facts = reserve(4 * lengths.length)
    const seen = reserve(4 * lengths.length)
    const list = reserve(2 * lengths.length)
    const outputs = reserve(rows)
    const done = reserve(rows)
    this.#outputAt = reserve(OUTPUT_ROOM)
    this.#outputEnd = this.#outputAt + OUTPUT_ROOM
    // Memory that nobody has touched costs nothing.
    const table = reserve(2 * CLASSES * (MOST_ROWS + 1))
    const text = reserve(1) + 1
    this.#at = { table, outputs, list, text }
    this.#memory = new api.Memory({
      initial: pagesFor(text + PAGE),
      maximum: pagesFor(text + LONGEST_TEXT) + 1,
    })
    this.#bytes = new Uint8Array(this.#memory.buffer)
    this.#table = new Uint16Array(this.#memory.buffer, table)
    const host = {
      memory: this.#memory,
      resolve: (entry: number) => this.#resolve(entry),
      flush: (lane: number) => this.#flush((lane - LAYOUT.lanes) / 16),
    }
    const { exports } = new api.Instance(new api.Module(Buffer.from(PASS, 'base64')), { host })
    this.#exports = exports as unknown as Exports
    this.#cells = exports as unknown as Record<Cell, { value: number }>
    for (const [cell, address] of Object.entries({ table, outputs, done, facts, seen, list }))
      this.#cells[cell as Cell].value = address
    this.#bytes.set(trie.classes, LAYOUT.classes)
    for (let byte = 0; byte < 256; byte++) {
      this.#bytes[LAYOUT.words + byte] = /\w/.test(String.fromCharCode(byte)) ? 1 : 0
      this.#bytes[LAYOUT.gaps + byte] = byte <= 32 || byte >= 128 ? 1 : 0
    }
    const numbers = new Uint32Array(this.#memory.buffer)
    this.#longest = 1
    for (let literal = 0; literal < lengths.length; literal++) {
      const isAnchor = literal >= firstAnchor && literal < endAnchor
      numbers[facts / 4 + literal] = (lengths[literal]! << 8) | (isAnchor ? ANCHOR : kinds[literal]! & KINDS)
      this.#longest = Math.max(this.#longest, lengths[literal]!)
    }
    for (let lane = 0; lane < LANES; lane++)
      numbers[(LAYOUT.lanes + lane * 16) / 4 + 2] = places + lane * LAYOUT.places * 4
  }

  /** Reads a text. Undefined, with nothing said of it, where it is too long, or the automaton has outgrown the room for it. */
  scan(bytes: Uint8Array): TextSize | undefined {
    if (this.#isFull || bytes.length > LONGEST_TEXT - PAGE) return undefined
    const { text } = this.#at
    const end = text + bytes.length
    try {
      this.#reserve(end + BORDERS)
      this.#bytes.set(bytes, text)
      this.#bytes[text - 1] = BORDER
      this.#bytes.fill(BORDER, end, end + BORDERS)
      this.#cells.stamp.value = ++this.#stamp
      this.#cells.met.value = 0
      this.#exports.count(text, end)
      this.#read(bytes.length)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      this.#isFull = true
      return undefined
    }
    this.#tell()
    return { lines: this.#cells.lines.value, longest_line: this.#cells.longest.value }
  }

  /** Each lane begins so long before the end of the one before that it finds every literal that ends behind it. */
  #read(length: number): void {
    const { text } = this.#at
    const isApart = length >= Math.max(SHORTEST_APART, LANES * 2 * this.#longest)
    const count = isApart ? Math.ceil((length + (LANES - 1) * this.#longest) / LANES) : length
    const starts = Array.from({ length: LANES }, (_, lane) =>
      isApart ? text + Math.min(lane * (count - this.#longest), length - count) : text,
    )
    const numbers = new Uint32Array(this.#memory.buffer, LAYOUT.lanes, LANES * 4)
    for (let lane = 0; lane < LANES; lane++) {
      numbers[lane * 4] = lane === 0 ? 0 : starts[lane - 1]! + count
      numbers[lane * 4 + 1] = 0
      if (this.#flushed[lane]!.length > 0) this.#flushed[lane] = []
    }
    if (isApart) this.#exports.all(count, ...starts)
    else this.#exports.one(count, text)
  }

  #tell(): void {
    const { list } = this.#at
    const literals = new Uint16Array(this.#memory.buffer, list, this.#cells.met.value)
    for (let index = 0; index < literals.length; index++) this.#sightings.meet(literals[index]!)
    for (let lane = 0; lane < LANES; lane++) {
      this.#flush(lane)
      for (const at of this.#flushed[lane]!) this.#sightings.place(at)
    }
  }

  #flush(lane: number): void {
    const numbers = new Uint32Array(this.#memory.buffer)
    const own = (LAYOUT.lanes + lane * 16) / 4
    const count = numbers[own + 1]!
    const from = numbers[own + 2]! / 4
    const flushed = this.#flushed[lane]!
    for (let index = 0; index < count; index++) flushed.push(numbers[from + index]! - this.#at.text)
    numbers[own + 1] = 0
  }

  /** Finds out an entry of the table, and fills it in, with all that the automaton knows of its row. */
  #resolve(entry: number): number {
    const row = Math.floor(entry / CLASSES)
    const from = row * this.#classCount
    const own = from + (entry % CLASSES)
    if (this.#automaton.table[own] === UNKNOWN) this.#automaton.resolve(own)
    else
      for (let at = 0; at < this.#classCount; at++)
        if (this.#automaton.table[from + at] !== UNKNOWN) this.#enter(row * CLASSES + at, from + at)
    return this.#enter(entry, own)
  }

  #enter(entry: number, own: number): number {
    const row = Math.abs(this.#automaton.table[own]!) / this.#classCount
    if (row > MOST_ROWS) throw new RangeError('more rows than there is room for')
    const ended = this.#automaton.outputs[row]
    if (ended && this.#known[row] === 0) this.#write(row, ended)
    const value = ended ? row | ENDS : row
    this.#table[entry] = value
    return value
  }

  #write(row: number, literals: Int32Array): void {
    const from = this.#outputAt
    const end = from + 2 * (literals.length + 1)
    if (end > this.#outputEnd) throw new RangeError('more literals end in rows than there is room for')
    const list = new Uint16Array(this.#memory.buffer, from, literals.length + 1)
    list.set(literals)
    list[literals.length] = LAST
    new Uint32Array(this.#memory.buffer, this.#at.outputs)[row] = from
    this.#outputAt = end
    this.#known[row] = 1
  }

  /** Makes room up to an address. @throws RangeError where the machine has none. */
  #reserve(end: number): void {
    const missing = pagesFor(end) - this.#bytes.length / PAGE
    if (missing > 0) this.#memory.grow(missing)
    if (this.#bytes.buffer === this.#memory.buffer) return
    this.#bytes = new Uint8Array(this.#memory.buffer)
    this.#table = new Uint16Array(this.#memory.buffer, this.#at.table)
  }
}

function pagesFor(bytes: number): number {
  return Math.ceil(bytes / PAGE)
}
