import type { Span } from '../taint/ir.ts'
import { CALLS, type CallIndex, isNamedLikeRelease } from './call-index.ts'
import { FREES } from './library.ts'

/** What a function of a text does with what one of its parameters points to, whatever happens. */
export interface Release {
  /** The number of the parameter. */
  parameter: number
  /** The call that frees it, in the text. */
  at: Span
  /** It is no function of a library that frees it, but one that is not in the text: by name and number of its parameter. */
  by?: { name: string; parameter: number }
}

/** What is freed by itself or where it is there, and what stands before it. */
const CALL =
  /(?:[;{}]|\bif\s*\(\s*(\w+)(?:\s*!=\s*(?:NULL|0|nullptr))?\s*\)\s*\{?)\s*(delete(?:\s*\[\s*\]\s*|\s+)(\w+)|(\w+)\s*\(\s*(?:\([^();]{1,80}\)\s*)?([\w\s,]{1,80}?)\s*\))\s*(?=;)/g

const HEAD = /(?:^|[^\w:~.])(\w+)\s*\(([^(){};]*)\)\s*$/

/** A function that frees is short. */
const LONGEST = 4000

/** A function's name and the names of its parameters that are pointers, by its head. */
export interface Head {
  name: string
  parameters: (string | undefined)[]
  /** Where it begins in the text, and its body. */
  begin: number
  body: number
  isStatic: boolean
  /** Another definition may stand for it. */
  isWeak: boolean
}

/** The head of a function; undefined where it is not understood. */
export function readHead(text: string, { start, end }: Span): Head | undefined {
  const body = text.indexOf('{', start)
  if (body === -1 || body >= end) return undefined
  const before = text.slice(start, body)
  const [, name, given] = HEAD.exec(before) ?? []
  if (name === undefined) return undefined
  const parameters = given!.split(',').map(each => /\*[\w\s]*?\b(\w+)\s*$/.exec(each)?.[1])
  const begin = start + before.search(/\S/)
  return { name, parameters, begin, body, isStatic: /\bstatic\b/.test(before), isWeak: /\b_*weak_*\b/.test(before) }
}

/**
 * The functions of a text that free what a parameter points to, whatever happens, by their names; of a function that is defined twice, or that
 * conditional lines are in, nothing is known. `macros` are the names of those that the text defines.
 */
export function findReleases(
  text: string,
  functions: readonly Span[],
  calls: CallIndex,
  macros: () => ReadonlySet<string>,
): Map<string, Release> {
  const out = new Map<string, Release>()
  const mayDelete = text.includes('delete')
  for (const span of functions) {
    const { start, end } = span
    if (end - start > LONGEST) continue
    const isFreeing = (calls.within(span) & (CALLS.FREES | CALLS.RELEASES)) !== 0
    if (!isFreeing && !(mayDelete && text.slice(start, end).includes('delete'))) continue
    const head = readHead(text, span)
    if (!head || FREES.has(head.name)) continue
    const release = findReleased(text, head, end)
    if (release) out.set(head.name, release)
  }
  if (out.size === 0) return out
  const seen = new Set<string>()
  for (const span of functions) {
    const name = readHead(text, span)?.name
    if (name !== undefined && seen.has(name)) out.delete(name)
    if (name !== undefined) seen.add(name)
  }
  for (const [name, { parameter, by }] of out) {
    if (!by || !(seen.has(by.name) || macros().has(by.name))) continue
    const own = macros().has(by.name) ? undefined : out.get(by.name)
    if (own && !own.by && own.parameter === by.parameter) out.set(name, { parameter, at: own.at })
    else out.delete(name)
  }
  return out
}

function findReleased(text: string, { parameters, body, name: own }: Head, end: number): Release | undefined {
  const written = text.slice(body, end)
  if (/^[ \t]*#/m.test(written)) return undefined
  for (const { 0: all, 1: asked, 2: call = '', 3: deleted, 4: callee = '', 5: args = '', index } of written.matchAll(
    CALL,
  )) {
    const isFree = deleted !== undefined || FREES.has(callee)
    if (callee === own || !(isFree || isNamedLikeRelease(callee))) continue
    const given = deleted === undefined ? args.split(',').map(each => each.trim()) : [deleted]
    if (given.length > 1 && isFree) continue
    const position = given.findIndex(each => parameters.includes(each) && (asked === undefined || asked === each))
    const name = given[position]
    if (name === undefined) continue
    // A brace that the expression takes with it opens or closes before what is freed.
    const leading = written.slice(0, index + (asked === undefined ? /^[;{}]/.exec(all)![0].length : 0))
    const before = leading.replace(isMissing(name), ';')
    if (countDepth(before) !== 1 || /\b(?:return|goto|break|else)\b/.test(before)) continue
    if (asked !== undefined && !/[;{}]\s*$/.test(before)) continue
    if (isChanged(name).test(before)) continue
    const start = body + index + all.indexOf(call)
    const release = { parameter: parameters.indexOf(name), at: { start, end: start + call.length } }
    return isFree ? release : { ...release, by: { name: callee, parameter: position } }
  }
  return undefined
}

/** A function is left at once where there is nothing to free. */
function isMissing(name: string): RegExp {
  const asked = `(?:!\\s*${name}|${name}\\s*==\\s*(?:NULL|0|nullptr)|(?:NULL|0|nullptr)\\s*==\\s*${name})`
  return new RegExp(
    `\\bif\\s*\\(\\s*(?:unlikely\\s*\\(\\s*${asked}\\s*\\)|${asked})\\s*\\)\\s*(?:return\\s*;|\\{\\s*return\\s*;\\s*\\})`,
    'g',
  )
}

/** The parameter is something else by then, or may be. */
function isChanged(name: string): RegExp {
  return new RegExp(
    `[^=!<>]\\s*&\\s*${name}\\b|\\b${name}\\s*(?:[-+|]?=(?!=)|\\+\\+|--)|\\b(?:\\+\\+|--)\\s*${name}\\b`,
  )
}

function countDepth(text: string): number {
  let depth = 0
  for (const [sign] of text.matchAll(/[{}]/g)) depth += sign === '{' ? 1 : -1
  return depth
}
