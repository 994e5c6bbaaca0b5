import type { SgNode } from '@ast-grep/napi'
import { lex } from '../lexer/lexer.ts'

/**
 * A tree may be so deep for syntax rules. A search down a tree calls itself for each level, natively and with about a kilobyte,
 * so some thousand levels end the process; code that people or generators write stays below two hundred.
 */
export const DEEPEST = 1000

/**
 * Brackets open at once, columns of indentation, words and signs of expressions within each other, words that nest without brackets: what
 * stays below all of these is not so deep that it does harm.
 */
const BRACKETS = 64
const COLUMNS = 128
/** A level takes one at the least: a sign before a value, an element of an element. */
const TOKENS = DEEPEST
const WORDS = 1000

/** Words after which a statement or value follows that need not stand in brackets or be indented. */
const NESTING =
  /\b(?:await|begin|case|class|clone|def|delete|do|else|elsif|fn|for|foreach|function|if|include|keyof|lambda|loop|module|new|not|print|repeat|require|return|sizeof|switch|then|throw|time|try|typeof|unless|until|void|while|with|yield)\b/g

/**
 * Whether the tree is deeper than syntax rules bear. The text tells most trees apart at once; only where something in it
 * nests, or goes on and on (`mayBe`), is the tree itself asked, which takes about as long as to parse it.
 */
export function isTooDeep(root: SgNode, text: string, mayBe: boolean = mayBeDeep(text)): boolean {
  return mayBe && root.matches(CHAIN as never)
}

/** Columns of indentation and of list and key signs at a line's beginning in YAML; the parser keeps two entries a column, and 256 fit. */
const YAML_COLUMNS = 100
const YAML_BEGINNING = /^(?:[ \t]|[-?:](?=[ \t]|$)){100}(?![ \t]*#)/m
/** Here-documents in a shell script; the parser goes through all that are open for each one. */
const HEREDOCS = 500
/**
 * Brackets open at once. Where they are many and the text is not right, parsers try each of them, and take time, in Java also memory, by
 * the square of their number: ten thousand are minutes and gigabytes. Its tree would be too deep anyway.
 */
const OPEN = 2500
/** For the shell they are the more costly, by far. */
const OPEN_IN_SHELL = 1000

/**
 * What in a text the parser of its language must not be given, in words; undefined for nearly every text. The parsers for YAML
 * and the shell keep what is open in a space of fixed size or search it from the beginning each time: the one then ends the
 * process, the other does not come to an end. `mayBe` is what `mayBeDeep` says of the text.
 */
export function explainUnparsable(
  language: string,
  text: string,
  mayBe: boolean = mayBeDeep(text),
): string | undefined {
  const open = language === 'bash' ? OPEN_IN_SHELL : OPEN
  if (mayBe && countDeepestOpen(text) > open && countDeepestOpen(code(language, text)) > open)
    return `more than ${open} brackets open at once`
  if (language === 'yaml' && YAML_BEGINNING.test(text)) return `more than ${YAML_COLUMNS} columns of nesting`
  if (language === 'bash' && text.split('<<', HEREDOCS + 2).length > HEREDOCS + 1)
    return `more than ${HEREDOCS} here-documents`
  return undefined
}

/**
 * The most brackets that are open at once, the ones of generics counted within a statement: `<` is also a comparison, of which an
 * end is never seen.
 */
export function countDeepestOpen(text: string): number {
  let most = 0
  let brackets = 0
  let angles = 0
  let last = 0
  let isLineBegun = true
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code <= 32) {
      if (code === 10) isLineBegun = false
      continue
    }
    if (!isLineBegun) {
      isLineBegun = true
      if (angles > 0 && !goesOn(last) && !goesOn(code)) angles = 0
    }
    last = code
    if (code === 60) angles++
    else if (code === 62) angles = Math.max(0, angles - 1)
    else if (code === 40 || code === 91 || code === 123) {
      brackets++
      if (code === 123) angles = 0
    } else if (code === 41 || code === 93 || code === 125) {
      brackets = Math.max(0, brackets - 1)
      if (code === 125) angles = 0
    } else if (code === 59) angles = 0
    else continue
    if (brackets + angles > most) most = brackets + angles
  }
  return most
}

/** The text with its strings and comments as blanks. */
function code(language: string, text: string): string {
  let out = ''
  let from = 0
  for (const { start, end } of lex(language, text).spans()) {
    out += `${text.slice(from, start)} `
    from = end
  }
  return out + text.slice(from)
}

/** A necessary condition in one pass over the text: brackets, indentation, expressions without an end, word after word that nests. */
export function mayBeDeep(text: string): boolean {
  // Words and signs of the expressions around each open bracket, of the one that is read, and of all of them.
  const outer: number[] = []
  let own = 0
  let all = 0
  let start = 0
  let columns = -1
  let last = 0
  let isWord = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10) {
      start = at + 1
      columns = -1
      isWord = false
      continue
    }
    if (code === 32 || code === 9 || code === 13) {
      isWord = false
      continue
    }
    if (columns === -1) {
      columns = at - start
      if (columns > COLUMNS) return true
      if (!goesOn(last) && !goesOn(code)) {
        all -= own
        own = 0
      }
    }
    last = code
    if (SIGNS[code] === 0) {
      if (isWord) continue
      isWord = true
    } else isWord = false
    own++
    if (++all > TOKENS) return true
    if (code === 40 || code === 91 || code === 123) {
      if (outer.push(own) > BRACKETS) return true
      own = 0
    } else if (code === 41 || code === 93 || code === 125) {
      all -= own
      own = outer.pop() ?? 0
    }
  }
  return nestsByWords(text)
}

function nestsByWords(text: string): boolean {
  // A word and what parts it from the next take three characters at the least.
  if (text.length < 3 * WORDS) return false
  let left = WORDS
  for (NESTING.lastIndex = 0; NESTING.test(text); ) if (--left === 0) return true
  return false
}

/** Operators, commas, dots, backslashes and what opens: the expression goes on beyond a line end beside one. */
function goesOn(code: number): boolean {
  return SIGNS[code] === GOES_ON
}

/** 0 for what words are made of. */
const SIGNS = new Uint8Array(65536)
const ENDS = 1
const GOES_ON = 2
for (const sign of `)]};'"#@`) SIGNS[sign.charCodeAt(0)] = ENDS
for (const sign of '+-*/%&|^!~.?:=<>,\\([{`') SIGNS[sign.charCodeAt(0)] = GOES_ON

/** A node with a child with a child … so many levels down, a hundred of them a part, since a rule may be nested only so far. */
const CHAIN = chain(DEEPEST)

function chain(levels: number): { rule: object; utils: Record<string, object> } {
  const utils: Record<string, object> = {}
  let below: object = { regex: '^' }
  for (let at = 0; at < levels; at += 100) {
    let rule = below
    for (let i = 0; i < 100; i++) rule = { has: rule }
    utils[`p${at}`] = rule
    below = { matches: `p${at}` }
  }
  return { rule: below, utils }
}
