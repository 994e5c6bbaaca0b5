import { makeUnmeasured } from '../../base/records/file-metrics.ts'
import type { PartlyScanned, Skip, SourceFile } from '../../base/records/source-file.ts'
import { classify } from '../../base/text/classify.ts'
import { Positions } from '../../base/text/positions.ts'
import { scanFile } from '../file/file-scan.ts'
import type { RuleSet } from '../file/rule-set.ts'
import type { FileOutcome, Limits } from '../rules/file-outcome.ts'
import type { InlineIgnore } from '../rules/inline.ts'
import { makePieceDecoder, type PieceDecoder } from './decoder.ts'

/** Bytes of one window that are searched, without what surrounds them. */
const CORE = 1 << 20
/** Bytes before and behind: no secret is longer, a private key of 16,384 bits has 13,000. */
const MARGIN = 1 << 16
/** Bytes by which a window is larger where it would begin within a character. */
const LONGEST_CHARACTER = 4

/** What a file over the size limit came to: what its detectors found, or why nothing searched it. */
export type LargeOutcome =
  | { outcome: FileOutcome; partly: Omit<PartlyScanned, 'path'>; bytes: number }
  | { skip: Skip; bytes: number }

/**
 * Searches a file of any size for secrets, in windows that overlap, so that memory stays bounded and none is cut; no other rule
 * searches it. `pieces` are its bytes in order, `live` is asked between windows.
 */
export async function scanLarge(
  rules: RuleSet,
  { file, language }: { file: SourceFile; language: string },
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limits: Limits & { max_file_bytes: number },
  live: () => boolean,
): Promise<LargeOutcome> {
  const windows = new Windows(rules, file, language, limits)
  let bytes = 0
  let decoder: PieceDecoder | undefined
  for await (const piece of pieces) {
    bytes += piece.length
    if (!decoder) {
      const shape = classify(piece, language)
      if (shape?.shape === 'binary') return { bytes, skip: { path: file.path, reason: 'binary', detail: shape.detail } }
      decoder = makePieceDecoder(piece, file.encoding)
      if (!decoder) return { bytes, skip: { path: file.path, reason: 'undecodable', detail: 'in an unknown encoding' } }
    }
    windows.add(decoder.next(piece, false))
    if (!live()) break
  }
  if (decoder) windows.add(decoder.next(new Uint8Array(0), true))
  windows.end()
  const detail = `${bytes} bytes, the limit is ${limits.max_file_bytes}: searched for secrets only`
  return { outcome: windows.outcome, partly: { reason: 'too_large', detail }, bytes }
}

/** A text in UTF-8 that comes in pieces, searched window by window. A match belongs to the window in whose core it begins. */
class Windows {
  readonly outcome: FileOutcome = {
    pass: makeUnmeasured(),
    matches: [],
    failures: [],
    ignores: [],
    parsed: false,
  }
  readonly #rules: RuleSet
  readonly #file: SourceFile
  readonly #language: string
  readonly #limits: Limits
  /** What was not searched yet, behind a margin that was; one window has room, and a byte behind it. */
  readonly #bytes = Buffer.allocUnsafeSlow(MARGIN + LONGEST_CHARACTER + CORE + MARGIN + 1)
  #length = 0
  /** Where the core begins in it. */
  #core = 0
  /** Line and column, from 0, at which it begins in the file. */
  #line = 0
  #column = 0

  constructor(rules: RuleSet, file: SourceFile, language: string, limits: Limits) {
    this.#rules = rules
    this.#file = file
    this.#language = language
    this.#limits = limits
  }

  add(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; ) {
      const full = this.#core + CORE + MARGIN + 1
      const part = piece.subarray(at, at + full - this.#length)
      this.#bytes.set(part, this.#length)
      this.#length += part.length
      at += part.length
      if (this.#length === full) this.#search(this.#beginOf(this.#core + CORE), this.#beginOf(full - 1))
    }
  }

  /** Searches what is left. */
  end(): void {
    this.#search(this.#length, this.#length)
    const { pass } = this.outcome
    const isInLine = this.#length > 0 && this.#bytes[this.#length - 1] !== NEWLINE
    pass.lines = this.#line + countLines(this.#bytes.subarray(0, this.#length)) + (isInLine ? 1 : 0)
  }

  /** Where the character begins that a byte belongs to. */
  #beginOf(byte: number): number {
    let at = byte
    while ((this.#bytes[at]! & 0xc0) === 0x80) at--
    return at
  }

  /** Searches the window that ends at `end`, whose core does at `coreEnd`. */
  #search(coreEnd: number, end: number): void {
    const { set, indexes } = this.#rules.selectOfAnyContent()
    const bytes = this.#bytes.subarray(0, end)
    const input = { path: this.#file.path, language: this.#language, in_test: this.#file.in_test, bytes }
    const found = scanFile(set, input, this.#limits)
    const isInCore = makeCore(bytes, this.#core, coreEnd)
    for (const match of found.matches) {
      if (!isInCore(match.line, match.column)) continue
      this.outcome.matches.push({
        ...match,
        rule: indexes[match.rule]!,
        column: this.#columnOf(match.line, match.column),
        end_column: this.#columnOf(match.end_line, match.end_column),
        line: this.#line + match.line,
        end_line: this.#line + match.end_line,
      })
    }
    for (const { rule, lines } of found.excluded ?? []) {
      const own = lines.filter(line => isInCore(line, 1)).map(line => this.#line + line)
      if (own.length > 0)
        this.outcome.excluded = [...(this.outcome.excluded ?? []), { rule: indexes[rule]!, lines: own }]
    }
    for (const { rule, ...failure } of found.failures) {
      const own = { rule: indexes[rule]!, ...failure }
      if (!this.outcome.failures.some(known => known.rule === own.rule && known.reason === own.reason))
        this.outcome.failures.push(own)
    }
    for (const ignore of found.ignores) if (isInCore(ignore.line, 1)) this.outcome.ignores.push(this.#placed(ignore))
    const { pass } = this.outcome
    pass.longest_line = Math.max(pass.longest_line, found.pass.longest_line)
    this.#advance(coreEnd)
  }

  /** A column, from 1, in a window: on its first line it is behind what came before. */
  #columnOf(line: number, column: number): number {
    return line === 1 ? this.#column + column : column
  }

  #placed(ignore: InlineIgnore): InlineIgnore {
    const { also } = ignore
    const move = (line: number) => this.#line + line
    return {
      ...ignore,
      line: move(ignore.line),
      last_line: move(ignore.last_line),
      ...(also && { also: also.map(([first, last]) => [move(first), move(last)] as const) }),
    }
  }

  /** Leaves what is searched behind, but for a margin. */
  #advance(coreEnd: number): void {
    const start = this.#beginOf(Math.max(0, coreEnd - MARGIN))
    const gone = this.#bytes.subarray(0, start)
    const lines = countLines(gone)
    const column = gone.toString('utf8', gone.lastIndexOf(NEWLINE) + 1).length
    this.#line += lines
    this.#column = lines === 0 ? this.#column + column : column
    this.#core = coreEnd - start
    this.#bytes.copyWithin(0, start, this.#length)
    this.#length -= start
  }
}

const NEWLINE = 10

/** Tells by line and column, from 1, what begins between two bytes of a window, or behind its end where the second is that. */
function makeCore(window: Buffer, from: number, to: number): (line: number, column: number) => boolean {
  let text: { positions: Positions; from: number; to: number } | undefined
  return (line, column) => {
    // Few windows have anything in them that is found.
    text ??= {
      positions: new Positions(window.toString()),
      from: window.toString('utf8', 0, from).length,
      to: to < window.length ? window.toString('utf8', 0, to).length : Number.POSITIVE_INFINITY,
    }
    const at = text.positions.offset(line, column)
    return at >= text.from && at < text.to
  }
}

function countLines(bytes: Uint8Array): number {
  let lines = 0
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === NEWLINE) lines++
  return lines
}
