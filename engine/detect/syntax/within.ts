import type { Declared } from '../../base/records/rule.ts'
import type { Origins } from '../../base/text/origins.ts'
import { blankComments, mapWithoutComments } from '../lexer/without-comments.ts'
import type { Trees } from '../rules/detector.ts'
import type { RuleFailure } from '../rules/file-outcome.ts'
import type { RawMatch, Span } from '../rules/match.ts'
import { parseTreesWithout } from './between.ts'
import { Declarations } from './declarations.ts'
import { findFunctions, isClosed } from './functions.ts'

/** A function of a file, by itself. */
export interface Part {
  /** Where it begins in the file. */
  readonly start: number
  readonly text: string
  /** Without comments, and with them; or why it cannot be parsed. It is parsed when this is first asked for. */
  readonly trees: Trees | Omit<RuleFailure, 'rule'>
}

/**
 * The functions of a file of C or C++ for rules that look at one function alone (`within`): of a long file in which an expression
 * matches in one place, nearly all would be parsed for nothing.
 */
export class Functions {
  readonly #language: string
  readonly #text: string
  readonly #bare: string
  readonly #declarations: Declarations
  #index: { code: string; origins: Origins; spans: readonly Span[] } | undefined
  readonly #parts = new Map<Span, Part>()
  readonly #closed = new Map<Span, boolean>()

  /** `bare` is the text without its comments. */
  constructor(language: string, text: string, bare: string) {
    this.#language = language
    this.#text = text
    this.#bare = bare
    this.#declarations = new Declarations(bare)
  }

  /**
   * The functions in which the expression, a global one, matches; undefined where it matches elsewhere, or an end is not sure. Of its matches
   * only those count whose name, in the first group, may be `declared` so before it in the function: an empty list where none does.
   */
  in(expression: RegExp, declared?: Declared): Part[] | undefined {
    expression.lastIndex = 0
    const found = new Set<Span>()
    for (const { index, 0: written, 1: name } of this.#bare.matchAll(expression)) {
      const place = declared && name !== undefined ? this.#declarations.lastBefore(declared, name, index) : undefined
      if (declared && name !== undefined && place === undefined) continue
      const { origins, spans } = this.#read()
      const [start, end] = [origins.of(index), origins.of(index + written.length)]
      const number = firstEndingFrom(spans, end)
      // What is declared in a function before is nothing to this one, where it is sure that the function ends there.
      const before = spans[number - 1]
      if (place !== undefined && before && origins.of(place) < before.end && this.#ends(before)) continue
      const span = spans[number]
      if (!span || span.start > start) return undefined
      found.add(span)
    }
    const parts = [...found].map(span => this.#part(span))
    return parts.every(({ text }) => isClosed(text)) ? parts : undefined
  }

  #ends(span: Span): boolean {
    let ends = this.#closed.get(span)
    if (ends === undefined) {
      ends = isClosed(this.#read().code.slice(span.start, span.end))
      this.#closed.set(span, ends)
    }
    return ends
  }

  #read() {
    if (!this.#index) {
      const code = blankComments(this.#text)
      this.#index = { code, origins: mapWithoutComments(this.#text), spans: findFunctions(code) }
    }
    return this.#index
  }

  #part(span: Span): Part {
    let part = this.#parts.get(span)
    if (!part) {
      part = partOf(this.#language, this.#text, this.#read().code, span)
      this.#parts.set(span, part)
    }
    return part
  }
}

/** The index of the first of the spans that ends at or behind an offset. */
function firstEndingFrom(spans: readonly Span[], at: number): number {
  let low = 0
  for (let high = spans.length; low < high; ) {
    const middle = (low + high) >> 1
    if (spans[middle]!.end < at) low = middle + 1
    else high = middle
  }
  return low
}

function partOf(language: string, all: string, code: string, { start, end }: Span): Part {
  const text = all.slice(start, end)
  let trees: Part['trees'] | undefined
  return {
    start,
    text,
    get trees() {
      trees ??= parseTreesWithout(language, text, code.slice(start, end))
      return trees
    },
  }
}

/** What was found in a part, in the file. */
export function moveIntoFile(match: RawMatch, { start }: Part): RawMatch {
  const moved = { ...match, start: match.start + start, end: match.end + start }
  if (match.edits)
    moved.edits = match.edits.map(edit => ({ ...edit, start: edit.start + start, end: edit.end + start }))
  return moved
}
