import { findGrammar } from './grammar.ts'
import { COMMENT } from './reading.ts'
import { Scanner } from './scanner.ts'

export type LexicalContext = 'code' | 'comment' | 'string'

/** A comment or a string literal with its delimiters; offsets count UTF-16 units, the end is exclusive. */
export interface Span {
  start: number
  end: number
  context: 'comment' | 'string'
}

/** What stands where in one text. */
export interface Lexer {
  contextAt(offset: number): LexicalContext
  /** The comment or string that holds an offset. */
  spanAt(offset: number): Span | undefined
  /** Every comment and string: ordered, disjoint, not empty. */
  spans(): Span[]
}

/**
 * Tells comments and string literals of a text apart from code, without a grammar: for files that are not parsed. The text
 * is read once, no further than the largest offset asked for, in time linear to it; no input makes it fail. Code inside a
 * string (`${…}`) is code; a regular expression literal is code. An unclosed string of one line ends with the line, any other
 * unclosed one with the text. Of an unknown language everything is code.
 */
export function lex(language: string, text: string): Lexer {
  const grammar = findGrammar(language)
  if (!grammar) return { contextAt: () => 'code', spanAt: () => undefined, spans: () => [] }
  const scanner = new Scanner(text, grammar, findGrammar)
  const { starts, ends, kinds } = scanner
  const indexAt = (offset: number): number => {
    if (!(offset >= 0 && offset < text.length)) return -1
    scanner.advance(offset)
    let low = 0
    let high = starts.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      if (starts[middle]! > offset) high = middle - 1
      else if (ends[middle]! <= offset) low = middle + 1
      else return middle
    }
    return -1
  }
  const context = (index: number) => (kinds[index] === COMMENT ? 'comment' : 'string')
  const span = (index: number): Span => ({ start: starts[index]!, end: ends[index]!, context: context(index) })
  return {
    contextAt(offset) {
      const index = indexAt(offset)
      return index < 0 ? 'code' : context(index)
    },
    spanAt(offset) {
      const index = indexAt(offset)
      return index < 0 ? undefined : span(index)
    },
    spans() {
      scanner.advance(text.length)
      return starts.map((_, index) => span(index))
    },
  }
}

/** The context of each offset of a text; see `lex`. */
export function makeContextReader(language: string, text: string): (offset: number) => LexicalContext {
  return lex(language, text).contextAt
}
