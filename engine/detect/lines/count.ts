import { findCountingGrammar } from '../lexer/grammar.ts'
import { STRING } from '../lexer/reading.ts'
import { type Part, Scanner } from '../lexer/scanner.ts'

/** How many lines of which kind; every line is one of code, comment and blank. */
export interface LineCounts {
  lines: number
  code: number
  comment: number
  blank: number
}

/** The lines of one file, and of the stretches in other languages inside it, by language. */
export interface FileLines extends LineCounts {
  /** Counted in the file's totals too. The tags around a stretch belong to the language outside, an inner stretch to itself alone. */
  embedded: ReadonlyMap<string, LineCounts>
}

const NOTHING: Spans = { starts: [], ends: [], kinds: [], parts: [], patterns: [], outside: [] }

/**
 * Counts lines as the reading `region` has it: a line with a character outside comments, or with a string's, is code; a line inside a
 * comment without code is a comment, an empty one included; a line of white space outside strings and comments is blank. Of a language without
 * a lexis every line that is not blank is code. Lines end with a line feed; a file's last line may lack it.
 */
export function countLines(language: string, text: string): FileLines {
  return countReadLines(text, readSpans(language, text))
}

/** Finds the comments, the strings, and the stretches in other languages of a text. */
export function readSpans(language: string, text: string): Spans {
  const grammar = findCountingGrammar(language)
  if (!grammar) return NOTHING
  const scanner = new Scanner(text, grammar, findCountingGrammar)
  scanner.advance(text.length)
  return scanner.outside.length > 0 ? readOutside(scanner) : scanner
}

/** What is known of a text before its lines are counted. */
export interface Spans extends Pick<Scanner, 'starts' | 'ends' | 'kinds' | 'parts' | 'patterns'> {
  /** Of code inside a document, the document's stretches. */
  outside: readonly Part[]
}

/**
 * The spans and stretches of a text with those of the document around its code: a script of a page may begin before a piece of PHP and end behind
 * it, so the page is read as one text in which the code is blank.
 */
function readOutside(scanner: Scanner): Spans {
  const { text, outside } = scanner
  const grammar = findCountingGrammar(outside[0]!.language)
  if (!grammar) return scanner
  let page = ''
  for (const { start, end } of outside) {
    page += text.slice(page.length, start).replace(/[^\n]/g, ' ')
    page += text.slice(start, end)
  }
  page += text.slice(page.length).replace(/[^\n]/g, ' ')
  const around = new Scanner(page, grammar, findCountingGrammar)
  around.advance(page.length)
  const spans = scanner.starts.map((start, i) => [start, scanner.ends[i]!, scanner.kinds[i]!] as const)
  // Of a comment or string around code, only what is outside the code: the code has spans of its own there.
  let from = 0
  for (let i = 0; i < around.starts.length; i++) {
    while (from < outside.length && outside[from]!.end <= around.starts[i]!) from++
    for (let at = from; at < outside.length && outside[at]!.start < around.ends[i]!; at++) {
      const start = Math.max(outside[at]!.start, around.starts[i]!)
      const end = Math.min(outside[at]!.end, around.ends[i]!)
      if (end > start) spans.push([start, end, around.kinds[i]!])
    }
  }
  spans.sort((a, b) => a[0] - b[0])
  return {
    starts: spans.map(span => span[0]),
    ends: spans.map(span => span[1]),
    kinds: spans.map(span => span[2]),
    parts: around.parts,
    patterns: scanner.patterns,
    outside,
  }
}

/** The lines of a text whose spans are known, as `countLines` counts them. */
export function countReadLines(text: string, { starts, ends, kinds, parts, outside }: Spans): FileLines {
  /** Lines of code, of comments and blank ones. */
  let [code, comment, blank] = [0, 0, 0]
  const embedded = new Map<string, LineCounts>()
  const spans = starts.length
  const findLanguage = parts.length + outside.length > 0 ? makeLanguageFinder(parts, outside) : undefined
  let span = 0
  let start = 0
  while (start < text.length) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    let kind: 'code' | 'comment' | 'blank' = 'blank'
    let at = start
    // An empty line that ends a comment or string (behind a backslash) belongs to it.
    if (start === end && span < spans && starts[span]! < start && ends[span] === start)
      kind = kinds[span] === STRING ? 'code' : 'comment'
    for (;;) {
      while (span < spans && ends[span]! <= at) span++
      if (span < spans && starts[span]! <= at) {
        if (kinds[span] === STRING) {
          kind = 'code'
          break
        }
        kind = 'comment'
        at = ends[span]!
        if (at >= end) break
        continue
      }
      const limit = span < spans ? Math.min(end, starts[span]!) : end
      while (at < limit && isBlank(text, at)) at++
      if (at < limit) {
        kind = 'code'
        break
      }
      if (at >= end) break
    }
    if (kind === 'code') code++
    else if (kind === 'comment') comment++
    else blank++
    const language = findLanguage?.(start, end)
    if (language !== undefined) {
      const own = embedded.get(language) ?? { lines: 0, code: 0, comment: 0, blank: 0 }
      embedded.set(language, own)
      add(own, kind)
    }
    start = end + 1
  }
  return { lines: code + comment + blank, code, comment, blank, embedded }
}

function add(counts: LineCounts, kind: 'code' | 'comment' | 'blank'): void {
  counts.lines++
  counts[kind]++
}

/**
 * Makes the function that says in which stretch's language a line is: that of the innermost one that holds it whole, none where it is the
 * file's own. It is asked line by line, from the first to the last.
 */
function makeLanguageFinder(parts: readonly Part[], outside: readonly Part[]) {
  const around: Part[] = []
  let next = 0
  let page = 0
  return (start: number, end: number): string | undefined => {
    while (next < parts.length && parts[next]!.start <= start) around.push(parts[next++]!)
    while (around.length > 0 && around.at(-1)!.end <= start) around.pop()
    while (page < outside.length && outside[page]!.end <= start) page++
    const document = outside[page]
    if (document !== undefined && !(document.start <= start && end <= document.end)) return undefined
    if (document === undefined && outside.length > 0) return undefined
    return around.findLast(part => end <= part.end)?.language ?? document?.language
  }
}

/** Space, tab, carriage return and their like, the no-break space (of a text that has a character for each byte, its first byte too) and the byte order mark. */
function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code > 32) return code === 0xa0 || code === 0xfeff || (code === 0xc2 && text.charCodeAt(at + 1) === 0xa0)
  return code === 32 || (code >= 9 && code <= 13)
}
