import { LANGUAGES } from '../../base/languages/languages.ts'
import { type Lexer, lex, type Span } from '../lexer/lexer.ts'

/** A comment `svc-ignore: RULE-ID, RULE-ID -- reason`. Plain data: it crosses threads. */
export interface InlineIgnore {
  /** Where the directive stands, from 1. */
  line: number
  /** The last line it covers, from `line` on: the next one where the comment has its line to itself, else its own. */
  last_line: number
  /** More lines that it covers, first and last of each stretch: those of the statement that it touches. */
  also?: (readonly [number, number])[]
  rules: string[]
  /** Empty where it is missing. */
  reason: string
  /** Why it does not hold, in words that follow "svc-ignore"; left out where it holds. */
  fault?: string
}

const DIRECTIVE = 'svc-ignore:'
const RULE_ID = /^[A-Za-z0-9][\w./:-]*$/
const CLOSERS = /(?:\*\/|--?-?>|--%>|%>|\*\)|-\}|#>|\]=*\]|\|#|--\}\}|[#*%]\}|\*@|\}\})$/
/** For a file of which no comment syntax is known: the directive must stand behind something that looks like a comment. */
const MARKER = /^\s*(?:#|\/\/|--|;|%|\/\*|<!--|\.\.)[\s#/*;%-]*$/

/**
 * The inline suppressions of a file, in order. Only a directive at the beginning of a comment, or of a line in one, counts:
 * in a string literal, or quoted in the middle of a sentence, it means nothing. A comment with its line to itself covers
 * the next line too, past other comments, and so do several of them one below the other; behind code it covers that line. Where the
 * syntax tells, as `findTouched`, it covers the statement that it touches.
 */
export function findInlineSuppressions(
  language: string,
  text: string,
  findTouched?: (comment: Span) => (readonly [number, number])[],
): InlineIgnore[] {
  let at = text.indexOf(DIRECTIVE)
  if (at < 0) return []
  const lexer = LANGUAGES.get(language)?.lexis ? lex(language, text) : undefined
  const found: (InlineIgnore & { alone: boolean })[] = []
  const passComments = makeCommentPasser(language, text, lexer)
  let line = 1
  let counted = 0
  for (; at >= 0; at = text.indexOf(DIRECTIVE, at + DIRECTIVE.length)) {
    const lineStart = text.lastIndexOf('\n', at) + 1
    const lineEnd = endOfLine(text, at)
    const comment = lexer ? lexer.spanAt(at) : unknownComment(text, at, lineStart, lineEnd)
    if (comment?.context !== 'comment') continue
    const from = Math.max(comment.start, lineStart)
    if (!isLead(text.slice(from, at).trimStart())) continue
    for (; counted < at; counted++) if (text.charCodeAt(counted) === 10) line++
    const end = Math.min(lineEnd, comment.end)
    const written = text.slice(at + DIRECTIVE.length, end).trimEnd()
    const directive = parse(comment.end <= lineEnd ? written.replace(CLOSERS, '') : written)
    const alone = isAlone(text, comment)
    const below = alone ? linesBetween(text, at, comment.end) + 1 : 0
    const also = directive.fault === undefined ? findTouched?.(comment) : undefined
    const last_line = alone ? passComments(line + below) : line + below
    found.push({ line, last_line, ...(also && also.length > 0 && { also }), ...directive, alone })
  }
  joinStacked(found)
  return found.map(({ alone: _, ...ignore }) => ignore)
}

/** One below the other, they all mean the code below the last. From the last one on, so that each stack is gone through once. */
function joinStacked(found: (InlineIgnore & { alone: boolean })[]): void {
  const ends: number[] = []
  for (let index = found.length - 1; index >= 0; index--) {
    const ignore = found[index]!
    let next = index + 1
    while (ignore.alone && found[next]?.alone && found[next]!.line <= ignore.last_line) {
      ignore.last_line = Math.max(ignore.last_line, found[next]!.last_line)
      next = ends[next]!
    }
    ends[index] = next
  }
}

/**
 * Whether nothing but signs stands between a comment's beginning, or that of a line in it, and the directive. Unicode's tables would cost
 * each start of the program, so they are asked for here alone.
 */
function isLead(before: string): boolean {
  return /^(?:rem\b|dnl\b)?[^\p{L}\p{N}`]*$/iu.test(before)
}

/** What stands between the rules and the reason. */
const BEFORE_REASON = /(?<=^|\s)(?:--|—)(?=\s|$)/

function parse(written: string): Pick<InlineIgnore, 'rules' | 'reason' | 'fault'> {
  const between = BEFORE_REASON.exec(written)
  const reason = between ? written.slice(between.index + between[0].length).trim() : ''
  const rules = written
    .slice(0, between?.index)
    .split(',')
    .map(id => id.trim())
    .filter(id => id !== '')
  const wrong = rules.find(id => !RULE_ID.test(id))
  if (rules.length === 0) return { rules, reason, fault: 'names no rule' }
  if (wrong !== undefined) return { rules, reason, fault: `names ${JSON.stringify(wrong)}, which is not a rule id` }
  if (reason === '') return { rules, reason, fault: `of ${rules.join(', ')} gives no reason behind " -- "` }
  return { rules, reason }
}

/** Whether a comment shares its lines with nothing but the braces that JSX needs around it. */
function isAlone(text: string, { start, end }: Span): boolean {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  return /^[\s{]*$/.test(before) && /^[\s}]*$/.test(text.slice(end, endOfLine(text, end)))
}

/** Finds, from the line below a comment, the last line of what stands there, past other comments. It is asked from the first line to the last. */
function makeCommentPasser(language: string, text: string, lexer: Lexer | undefined): (line: number) => number {
  const lines = text.split('\n')
  let counted = 1
  let start = 0
  /** The stretch of comments that was passed last. */
  let passed: { from: number; to: number } | undefined
  const passOver = (line: number): number => {
    if (!lexer) return line
    if (passed && passed.from <= line && line <= passed.to) return passed.to
    for (; counted < line; counted++) start += (lines[counted - 1] ?? '').length + 1
    let at = line
    let offset = start
    for (let own = lines[at - 1]; own !== undefined && own.trim() !== ''; own = lines[at - 1]) {
      const span = lexer.spanAt(offset + own.length - own.trimStart().length)
      if (span?.context !== 'comment' || span.end < offset + own.trimEnd().length) break
      offset += own.length + 1
      at++
    }
    passed = { from: line, to: at }
    return at
  }
  return line => {
    let at = passOver(line)
    // An instruction or a text that goes on below.
    if (language === 'dockerfile') while (/\\\s*$/.test(lines[at - 1] ?? '')) at++
    if (language === 'yaml' && /[:-]\s+[|>][-+\d]*\s*$/.test(lines[at - 1] ?? '')) {
      const depth = indentOf(lines[at - 1]!)
      while (at < lines.length && (lines[at]!.trim() === '' || indentOf(lines[at]!) > depth)) at++
    }
    return at
  }
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

function unknownComment(text: string, at: number, lineStart: number, lineEnd: number): Span | undefined {
  const marked = MARKER.test(text.slice(lineStart, at))
  return marked ? { start: lineStart, end: lineEnd, context: 'comment' } : undefined
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function linesBetween(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
