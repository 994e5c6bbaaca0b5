import type { Span } from '../taint/ir.ts'
import type { Directives } from './directives.ts'
import { ALLOCATES, FILLS, FREES } from './library.ts'

/** A text in which macros were replaced by what they stand for, and where what stands in it is written. */
export interface Expanded {
  text: string
  /** What is part of an expansion is written where the macro is called. */
  toWritten(span: Span): Span
}

/** The macros of a file that take arguments and do something with memory. */
export interface Expansions {
  /** The text of a function with these replaced; undefined where it calls none. */
  expand(own: string): Expanded | undefined
}

interface Macro {
  parameters: string[]
  body: string
  /** What it calls, by name. */
  calls: string[]
}

/** A macro in the text: from the first sign of its name to behind its last parenthesis, and what stands there. */
interface Call extends Span {
  with: string
}

const DEFINE = /define[ \t]+(\w+)\(([\w\s,]*)\)[ \t]*((?:\\\r?\n|[^\n])*)/y
const HIDDEN = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\*[\s\S]*?\*\/|\/\/[^\n]*|^[ \t]*#(?:\\\r?\n|[^\n])*/gm
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g
const UNDEFINE = /undef[ \t]+(\w+)/y
const CALLED = /\b(\w+)\s*\(/g
/** A macro that calls one of these is worth it; what only prints is not. */
const KNOWN: ReadonlySet<string> = new Set([
  ...Object.keys({ ...ALLOCATES, ...FILLS }),
  ...FREES,
  ...'strcpy strcat stpcpy sprintf'.split(' '),
])

/** Limits, so that macros that call macros come to an end: of a body, of what is given, of what comes of a call, and of a function's calls. */
const LONGEST_BODY = 600
const LONGEST_ARGUMENT = 400
const LONGEST_CALL = 2000
const MOST_ADDED = 20_000
const MOST_MACROS = 200
const DEEPEST = 3

/** Calls that are expanded in a file. */
const MOST_CALLS = 2000

/** What is expanded, and how many calls still may be. */
interface Table {
  macros: ReadonlyMap<string, Macro>
  called: RegExp
  left: number
}

/** The macros of a text that are worth expanding; undefined where it has none. One that is defined twice, or ends, may be either. */
export function readExpansions(directives: Directives): Expansions | undefined {
  const all = new Map<string, Macro | undefined>()
  for (const [, name, parameters, written] of directives.match('define', DEFINE)) {
    if (!written!.includes('(')) {
      all.set(name!, undefined)
      continue
    }
    const body = written!
      .replace(COMMENT, ' ')
      .replace(/\\\r?\n/g, ' ')
      .trim()
    const calls = [...body.matchAll(CALLED)].map(([, called]) => called!)
    const isPlain = body.length <= LONGEST_BODY && !/#|__VA_|\breturn\b|\bgoto\b/.test(body) && !calls.includes(name!)
    const names = parameters!.split(',').map(each => each.trim())
    if (names.at(-1) === '') names.pop()
    all.set(name!, all.has(name!) || !isPlain || KNOWN.has(name!) ? undefined : { parameters: names, body, calls })
  }
  if (all.size > 0) for (const [, name] of directives.match('undef', UNDEFINE)) all.delete(name!)
  const macros = new Map<string, Macro>()
  for (let round = 0; round < DEEPEST; round++)
    for (const [name, macro] of all)
      if (macros.size < MOST_MACROS && macro?.calls.some(called => KNOWN.has(called) || macros.has(called)))
        macros.set(name, macro)
  if (macros.size === 0) return undefined
  const called = new RegExp(`\\b(${[...macros.keys()].join('|')})\\s*\\(`, 'g')
  const table: Table = { macros, called, left: MOST_CALLS }
  return { expand: own => (own.search(called) === -1 ? undefined : expand(own, table)) }
}

function expand(own: string, table: Table): Expanded | undefined {
  const calls = findCalls(own, table, 1)
  if (calls.length === 0 || calls.reduce((sum, call) => sum + call.with.length, 0) > MOST_ADDED) return undefined
  let text = ''
  let at = 0
  const pieces: { from: number; to: number; call: Call }[] = []
  for (const call of calls) {
    text += own.slice(at, call.start)
    pieces.push({ from: text.length, to: text.length + call.with.length, call })
    text += call.with
    at = call.end
  }
  text += own.slice(at)
  const place = (offset: number, isEnd: boolean): number => {
    const before = pieces.findLast(({ from }) => (isEnd ? from < offset : from <= offset))
    if (!before) return offset
    const isInside = isEnd ? offset <= before.to : offset < before.to
    return isInside ? before.call[isEnd ? 'end' : 'start'] : before.call.end + offset - before.to
  }
  return { text, toWritten: ({ start, end }) => ({ start: place(start, false), end: place(end, true) }) }
}

/** The outermost calls of macros in a text, each with what it stands for. */
function findCalls(text: string, table: Table, depth: number): Call[] {
  const hidden = [...text.matchAll(HIDDEN)].map(({ 0: all, index }) => ({ start: index, end: index + all.length }))
  const out: Call[] = []
  let next = 0
  let at = 0
  for (const { 0: all, 1: name, index } of text.matchAll(table.called)) {
    if (table.left <= 0) break
    while (next < hidden.length && hidden[next]!.end <= index) next++
    if (index < at || (hidden[next] && hidden[next]!.start <= index)) continue
    const macro = table.macros.get(name!)!
    const given = readArguments(text, index + all.length)
    if (!given || given.values.length !== macro.parameters.length) continue
    if (given.values.some(({ length }) => length > LONGEST_ARGUMENT)) continue
    table.left--
    const body = substitute(macro, given.values)
    const stands = body.length > LONGEST_CALL || depth === DEEPEST ? body : expandWithin(body, table, depth)
    if (stands.length > LONGEST_CALL) continue
    at = given.end
    out.push({ start: index, end: given.end, with: stands })
  }
  return out
}

function expandWithin(body: string, table: Table, depth: number): string {
  let out = body
  for (const call of findCalls(body, table, depth + 1).reverse())
    out = out.slice(0, call.start) + call.with + out.slice(call.end)
  return out
}

/** What is between the parentheses, parted by the commas that are not within others; undefined where they are not closed. */
function readArguments(text: string, from: number): { values: string[]; end: number } | undefined {
  const values: string[] = []
  let depth = 0
  let start = from
  for (let at = from; at < text.length; at++) {
    const sign = text[at]!
    if (sign === '"' || sign === "'") {
      for (at++; at < text.length && text[at] !== sign; at++) if (text[at] === '\\') at++
    } else if (sign === '(' || sign === '[' || sign === '{') depth++
    else if (sign === ';' && depth === 0) return undefined
    else if (depth > 0 && (sign === ')' || sign === ']' || sign === '}')) depth--
    else if (depth === 0 && (sign === ',' || sign === ')')) {
      values.push(text.slice(start, at).trim())
      start = at + 1
      if (sign === ')') return { values: values.length === 1 && values[0] === '' ? [] : values, end: at + 1 }
    }
  }
  return undefined
}

function substitute({ parameters, body }: Macro, values: readonly string[]): string {
  const given = new Map(parameters.map((name, at) => [name, values[at]!]))
  // Parentheses around a plain name say nothing.
  const bare = body.replace(/(?<![\w)\]]\s*)\(\s*([A-Za-z_]\w*)\s*\)/g, (all, name) =>
    /^\w+$/.test(given.get(name) ?? '') ? name : all,
  )
  return bare.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\b[A-Za-z_]\w*/g, word => given.get(word) ?? word)
}
