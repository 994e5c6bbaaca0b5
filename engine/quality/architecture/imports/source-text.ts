import { lex } from '../../../detect/lexer/lexer.ts'

/** A source without what is no code, of the same length: an offset means the same place in each. */
export interface SourceText {
  /** Comments blanked; strings stay. */
  withStrings: string
  /** Comments and strings blanked. */
  code: string
}

/** Blanks comments, and comments and strings, line ends apart. */
export function blankSource(language: string, text: string): SourceText {
  const spans = lex(language, text).spans()
  return {
    withStrings: blank(
      text,
      spans.filter(({ context }) => context === 'comment'),
    ),
    code: blank(text, spans),
  }
}

function blank(text: string, spans: readonly { start: number; end: number }[]): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end } of spans) {
    parts.push(text.slice(from, start), text.slice(start, end).replace(/[^\r\n]/g, ' '))
    from = end
  }
  parts.push(text.slice(from))
  return parts.join('')
}

/**
 * Finds where an expression (with the flag g) matches next, from positions that never descend: however many ask for the same match, the text
 * is searched once. -1 where there is none.
 */
export function makeFinder(text: string, expression: RegExp): (from: number) => number {
  let known = -2
  return from => {
    if (known !== -1 && known < from) {
      expression.lastIndex = from
      known = expression.exec(text)?.index ?? -1
    }
    return known
  }
}

/** Keeps names without the texts that they were cut out of, each once. */
export class NamePool {
  readonly #names = new Map<string, string>()

  keep(name: string): string {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    // A slice of a string holds the whole of it in memory.
    const own = Buffer.from(name).toString()
    this.#names.set(own, own)
    return own
  }
}

/** The directory of a path, '' for the root. */
export function getFolder(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '' : path.slice(0, slash)
}

/** A path below a directory; `..` and `.` resolved. Undefined where it leaves the root. */
export function joinPath(folder: string, relative: string): string | undefined {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

/** The directory and those around it, nearest first, the root ('') last. */
export function* climb(folder: string): Generator<string> {
  for (let at = folder; ; at = getFolder(at)) {
    yield at
    if (at === '') return
  }
}
