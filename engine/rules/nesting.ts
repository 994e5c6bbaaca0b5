import type { SgNode } from '@ast-grep/napi'

/**
 * A tree may be so deep for syntax rules. A search down a tree calls itself for each level, natively and with about a kilobyte,
 * so some thousand levels end the process; code that people or generators write stays below two hundred.
 */
export const DEEPEST = 1000

/** Brackets open at once, columns of indentation, characters of a line, lines that go on in the next: less than all of these makes no deep tree. */
const BRACKETS = 64
const COLUMNS = 128
const LINE = 1000
const CONTINUED = 64
const BRANCHES = 200

/**
 * Whether the tree is deeper than syntax rules bear. The text tells most trees apart at once; only where something in it
 * nests, or goes on and on, is the tree itself asked, which takes about as long as to parse it.
 */
export function isTooDeep(root: SgNode, text: string): boolean {
  return mayBeDeep(text) && root.matches(CHAIN as never)
}

/** Columns of indentation and of list and key signs at a line's beginning in YAML; the parser keeps two entries a column, and 256 fit. */
const YAML_COLUMNS = 100
const YAML_BEGINNING = /^(?:[ \t]|[-?:](?=[ \t]|$)){100}(?![ \t]*#)/m
/** Here-documents in a shell script; the parser goes through all that are open for each one. */
const HEREDOCS = 500

/**
 * What in a text the parser of its language must not be given, in words; undefined for nearly every text. The parsers for YAML
 * and the shell keep what is open in a space of fixed size or search it from the beginning each time: the one then ends the
 * process, the other does not come to an end.
 */
export function unparsable(language: string, text: string): string | undefined {
  if (language === 'yaml' && YAML_BEGINNING.test(text)) return `more than ${YAML_COLUMNS} columns of nesting`
  if (language === 'bash' && text.split('<<', HEREDOCS + 2).length > HEREDOCS + 1)
    return `more than ${HEREDOCS} here-documents`
  return undefined
}

/** A necessary condition in one pass over the text: brackets, indentation, long lines, expressions over many lines, branch after branch. */
export function mayBeDeep(text: string): boolean {
  let brackets = 0
  let continued = 0
  let start = 0
  let columns = -1
  let last = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10) {
      if (at - start > LINE) return true
      start = at + 1
      columns = -1
      continue
    }
    if (code === 32 || code === 9 || code === 13) continue
    if (columns === -1) {
      columns = at - start
      if (columns > COLUMNS) return true
      continued = goesOn(last) || goesOn(code) ? continued + 1 : 0
      if (continued > CONTINUED) return true
    }
    last = code
    if (code === 40 || code === 91 || code === 123) {
      if (++brackets > BRACKETS) return true
    } else if ((code === 41 || code === 93 || code === 125) && brackets > 0) brackets--
  }
  return text.length - start > LINE || text.split('else', BRANCHES + 1).length > BRANCHES
}

/** Operators, commas, dots and backslashes: the expression goes on beyond a line end beside one. */
function goesOn(code: number): boolean {
  return GOES_ON[code] === 1
}
const GOES_ON = new Uint8Array(65536)
for (const sign of '+-*/%&|^!~.?:=<>,\\(') GOES_ON[sign.charCodeAt(0)] = 1

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
