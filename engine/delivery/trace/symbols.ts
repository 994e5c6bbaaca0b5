import { findForm, listDeclarations } from '../../quality/profile/declarations.ts'
import type { Tag } from './tags.ts'

/** A named part of a file. */
export interface CodeSymbol {
  name: string
  /** The line of its declaration, from 1. */
  line: number
}

/** So many lines may be between a tag's comment and the declaration that it is about: decorators, annotations, further comments. */
const NEAR = 12
/** A function of C or C++ begins at the left edge, and its parameters on the same line. */
const C_FUNCTION =
  /^(?!(?:if|for|while|switch|return|else|do|typedef|using|namespace)\b)[A-Za-z_][\w\s*&:<>,]{0,200}?\b([A-Za-z_]\w*)\s?\([^;]{0,300}$/

/** The declarations of a text, in order of their lines. */
export function listSymbols(language: string, text: string): CodeSymbol[] {
  if (language === 'c' || language === 'cpp')
    return text.split('\n').flatMap((line, index) => {
      const name = C_FUNCTION.exec(line.slice(0, 500))?.[1]
      return name === undefined ? [] : [{ name, line: index + 1 }]
    })
  const form = findForm(language)
  return form ? listDeclarations(text, form).map(({ name, line }) => ({ name, line })) : []
}

/**
 * The declaration that a tag is about: the one on its line, the one that follows its comment with nothing but comments and annotations between, else
 * the nearest one above that is indented less. Undefined where the tag is about the file.
 */
export function findTaggedSymbol(
  tag: Tag,
  symbols: readonly CodeSymbol[],
  lines: readonly string[],
): CodeSymbol | undefined {
  if (tag.isFile) return undefined
  const after = symbols.find(({ line }) => line >= tag.first)
  if (after && after.line <= tag.last) return after
  if (after && after.line - tag.last <= NEAR && isBetween(lines, tag.last, after.line - 1)) return after
  const indent = measureIndent(lines[tag.first - 1] ?? '')
  for (let index = symbols.length - 1; index >= 0; index--) {
    const symbol = symbols[index]!
    if (symbol.line < tag.first && measureIndent(lines[symbol.line - 1] ?? '') < indent) return symbol
  }
  return undefined
}

/** Whether lines, from the one after `from` to `to`, are comments, annotations or attributes; an empty one ends what a comment is about. */
function isBetween(lines: readonly string[], from: number, to: number): boolean {
  for (let index = from; index < to; index++)
    if (!/^\s*(?:@|#|\/\/|\/?\*|\[|--|%|")/.test((lines[index] ?? '').slice(0, 200))) return false
  return true
}

function measureIndent(line: string): number {
  return /^[ \t]{0,200}/.exec(line)![0].length
}
