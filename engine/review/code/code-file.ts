import { detectLanguage } from '../../base/languages/languages.ts'
import { Positions } from '../../base/text/positions.ts'
import { lex } from '../../detect/lexer/lexer.ts'

/** A file of which a review reads the content. */
export interface CodeFile {
  /** Repository-relative, forward slashes. */
  path: string
  language: string
  text: string
  /** The text with each comment blanked: offsets and lines are those of `text`. */
  code: string
  positions: Positions
  in_test: boolean
}

/** Larger files are generated or data: they are counted as not read. */
export const MOST_BYTES = 1 << 20

/** A file as a review reads it. Time linear to the text. */
export function makeCodeFile(path: string, text: string, in_test = false): CodeFile {
  const language = detectLanguage(path) ?? 'text'
  return { path, language, text, code: blankComments(language, text), positions: new Positions(text), in_test }
}

function blankComments(language: string, text: string): string {
  let out = ''
  let from = 0
  for (const { start, end, context } of lex(language, text).spans()) {
    if (context !== 'comment' || isDirective(language, text, start)) continue
    out += text.slice(from, start) + text.slice(start, end).replace(/[^\r\n]/g, ' ')
    from = end
  }
  return out + text.slice(from)
}

/** An attribute of PHP begins like a comment of other languages, and annotations of older frameworks are in comments. */
function isDirective(language: string, text: string, start: number): boolean {
  return language === 'php' && (text.startsWith('#[', start) || text.slice(start, start + 400).includes('@Route('))
}
