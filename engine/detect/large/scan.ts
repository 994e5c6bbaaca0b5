import { makeUnmeasured } from '../../base/records/file-metrics.ts'
import type { PartlyScanned, Skip, SourceFile } from '../../base/records/source-file.ts'
import { classify } from '../../base/text/classify.ts'
import { Positions } from '../../base/text/positions.ts'
import { scanFile } from '../file/file-scan.ts'
import type { RuleSet } from '../file/rule-set.ts'
import type { FileOutcome, Limits } from '../rules/file-outcome.ts'
import type { InlineIgnore } from '../rules/inline.ts'
import { makePieceDecoder, type PieceDecoder } from './decoder.ts'

/** Characters of one window that are searched, without what surrounds them. */
const CORE = 1 << 20
/** Characters before and behind: no secret is longer, a private key of 16,384 bits has 13,000. */
const MARGIN = 1 << 16

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
  windows.end(decoder?.next(new Uint8Array(0), true) ?? '')
  const detail = `${bytes} bytes, the limit is ${limits.max_file_bytes}: searched for secrets only`
  return { outcome: windows.outcome, partly: { reason: 'too_large', detail }, bytes }
}

/** A text that comes in pieces, searched window by window. A match belongs to the window in whose core it begins. */
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
  /** What was not searched yet, behind a margin that was. */
  #text = ''
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

  add(text: string): void {
    this.#text += text
    while (this.#text.length >= this.#core + CORE + MARGIN) this.#search(this.#core + CORE)
  }

  /** Searches what is left. */
  end(text: string): void {
    this.add(text)
    this.#search(this.#text.length)
    const { pass } = this.outcome
    pass.lines = this.#line + (this.#text.endsWith('\n') || this.#text === '' ? 0 : 1) + countLines(this.#text)
  }

  #search(coreEnd: number): void {
    const { set, indexes } = this.#rules.selectOfAnyContent()
    const text = this.#text.slice(0, Math.min(this.#text.length, coreEnd + MARGIN))
    const input = {
      path: this.#file.path,
      language: this.#language,
      in_test: this.#file.in_test,
      bytes: Buffer.from(text),
    }
    const found = scanFile(set, input, this.#limits)
    const positions = new Positions(text)
    const isLast = coreEnd >= this.#text.length
    const isInCore = (line: number, column: number) => {
      const at = positions.offset(line, column)
      return at >= this.#core && (isLast || at < coreEnd)
    }
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
    this.#advance(Math.max(0, Math.min(coreEnd, this.#text.length) - MARGIN), coreEnd)
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

  #advance(start: number, coreEnd: number): void {
    const gone = this.#text.slice(0, start)
    const lines = countLines(gone)
    this.#line += lines
    this.#column = lines === 0 ? this.#column + gone.length : gone.length - gone.lastIndexOf('\n') - 1
    this.#core = coreEnd - start
    this.#text = this.#text.slice(start)
  }
}

function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
