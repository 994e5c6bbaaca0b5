import type { Origins } from '../../base/text/origins.ts'
import { blankComments, mapWithoutComments, removeComments } from '../lexer/without-comments.ts'
import type { Trees } from '../rules/detector.ts'
import type { RuleFailure } from '../rules/file-outcome.ts'
import type { RawMatch, Span } from '../rules/match.ts'
import { parseTreesWithout } from './between.ts'
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
  readonly #code: string
  readonly #origins: Origins
  readonly #spans: readonly Span[]
  readonly #parts = new Map<Span, Part>()

  constructor(language: string, text: string) {
    this.#language = language
    this.#text = text
    this.#code = blankComments(text)
    this.#origins = mapWithoutComments(text)
    this.#spans = findFunctions(this.#code)
  }

  /** The functions in which the expression, a global one, matches; undefined where it matches elsewhere, or nowhere, or an end is not sure. */
  in(expression: RegExp): Part[] | undefined {
    expression.lastIndex = 0
    const found = new Set<Span>()
    for (const { index, 0: written } of removeComments(this.#text).matchAll(expression)) {
      const span = this.#spanOf(this.#origins.of(index), this.#origins.of(index + written.length))
      if (!span) return undefined
      found.add(span)
    }
    const parts = [...found].map(span => this.#part(span))
    return parts.length > 0 && parts.every(({ text }) => isClosed(text)) ? parts : undefined
  }

  #spanOf(start: number, end: number): Span | undefined {
    let low = 0
    for (let high = this.#spans.length; low < high; ) {
      const middle = (low + high) >> 1
      if (this.#spans[middle]!.end < end) low = middle + 1
      else high = middle
    }
    const span = this.#spans[low]
    return span && span.start <= start ? span : undefined
  }

  #part(span: Span): Part {
    let part = this.#parts.get(span)
    if (!part) {
      part = partOf(this.#language, this.#text, this.#code, span)
      this.#parts.set(span, part)
    }
    return part
  }
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
