import type { TextSize } from '../../base/records/file-metrics.ts'
import { type Automaton, buildAutomaton, UNKNOWN } from './automaton.ts'
import { CompiledPass } from './compiled-pass.ts'
import { CALL, type LiteralTrie, WORD } from './literal-trie.ts'
import type { Sightings } from './sightings.ts'

const NEWLINE = 10

/** The pass over a text's bytes for some literals of a trie: what it finds it tells the sightings, and counts the lines on the way. */
export class Pass {
  readonly #trie: LiteralTrie
  readonly #automaton: Automaton
  readonly #sightings: Sightings
  /** Who has read so many bytes will read more: from then on the pass is the compiled one, which costs something to make. */
  readonly #much: number
  #read = 0
  #compiled: CompiledPass | null | undefined

  constructor(trie: LiteralTrie, isWanted: (literal: number) => boolean, sightings: Sightings, much: number) {
    this.#trie = trie
    this.#automaton = buildAutomaton(trie, isWanted)
    this.#sightings = sightings
    this.#much = much
  }

  scan(bytes: Uint8Array): TextSize {
    return this.#readCompiled(bytes) ?? this.#readHere(bytes)
  }

  #readCompiled(bytes: Uint8Array): TextSize | undefined {
    if (this.#read < this.#much) {
      this.#read += bytes.length
      return undefined
    }
    this.#compiled ??= CompiledPass.make(this.#trie, this.#automaton, this.#sightings) ?? null
    return this.#compiled?.scan(bytes)
  }

  #readHere(bytes: Uint8Array): TextSize {
    const automaton = this.#automaton
    const { classes, classCount } = this.#trie
    const { root, outputs } = automaton
    let { table } = automaton
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
        row = automaton.resolve(entry)
        table = automaton.table
        if (row > 0) continue
      }
      row = -row
      this.#note(outputs[row / classCount]!, bytes, i + 1)
    }
    if (lineStart < length) {
      lines++
      longest = Math.max(longest, length - lineStart)
    }
    return { lines, longest_line: longest }
  }

  #note(ended: Int32Array, bytes: Uint8Array, end: number): void {
    const { firstAnchor, endAnchor, lengths, kinds } = this.#trie
    for (let k = 0; k < ended.length; k++) {
      const id = ended[k]!
      if (id >= firstAnchor && id < endAnchor) {
        this.#sightings.place(end - lengths[id]!)
        continue
      }
      if (this.#sightings.has(id)) continue
      const kind = kinds[id]!
      if ((kind & WORD) !== 0 && (partOfWord(bytes[end]) || partOfWord(bytes[end - 1 - lengths[id]!]))) continue
      if ((kind & CALL) !== 0 && !callFollows(bytes, end)) continue
      this.#sightings.meet(id)
    }
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
