import type { Span } from '../taint/ir.ts'
import { CALLS, type CallIndex, isNamedLikeRelease, isSpace } from './call-index.ts'
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

/** What is freed by itself or where it is there. */
const CALL = /(delete(?:\s*\[\s*\]\s*|\s+)(\w+)|(\w+)\s*\(\s*(?:\([^();]{1,80}\)\s*)?([\w\s,]{1,80}?)\s*\))\s*(?=;)/y

/** Something is deleted somewhere. */
const DELETES = /delete(?:\s*\[\s*\]\s*|\s+)\w+\s*;/

/** What asks whether it is there, and no longer than this. */
const ASKED = /\bif\s*\(\s*(\w+)(?:\s*!=\s*(?:NULL|0|nullptr))?\s*\)\s*\{?$/
const LONGEST_ASKED = 200

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

/** The name of a function; undefined where its head is not understood. */
function readName(text: string, { start, end }: Span): string | undefined {
  const body = text.indexOf('{', start)
  return body === -1 || body >= end ? undefined : HEAD.exec(text.slice(start, body))?.[1]
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
  const mayDelete = DELETES.test(text)
  for (const span of functions) {
    const { start, end } = span
    if (end - start > LONGEST) continue
    const isFreeing = (calls.within(span) & (CALLS.FREES | CALLS.RELEASES)) !== 0
    if (!isFreeing && !(mayDelete && text.slice(start, end).includes('delete'))) continue
    const head = readHead(text, span)
    if (!head || FREES.has(head.name) || head.parameters.every(each => each === undefined)) continue
    const places = isFreeing ? calls.list(span, CALLS.FREES | CALLS.RELEASES).map(call => call.start) : []
    const release = findReleased(
      text,
      head,
      end,
      mayDelete ? [...places, ...listDeletes(text, span)].sort((a, b) => a - b) : places,
    )
    if (release) out.set(head.name, release)
  }
  if (out.size === 0) return out
  const seen = new Set<string>()
  for (const span of functions) {
    const name = readName(text, span)
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

/** Where something is deleted in a part of a text. */
function listDeletes(text: string, { start, end }: Span): number[] {
  const out: number[] = []
  for (let at = text.indexOf('delete', start); at !== -1 && at < end; at = text.indexOf('delete', at + 1)) out.push(at)
  return out
}

/** What is freed, by the places where it may be. */
function findReleased(
  text: string,
  { parameters, body, name: own }: Head,
  end: number,
  places: readonly number[],
): Release | undefined {
  for (const place of places) {
    const behind = place > body ? findStatement(text, place) : undefined
    if (behind === undefined) continue
    CALL.lastIndex = place
    const [, call = '', deleted, callee = '', args = ''] = CALL.exec(text) ?? []
    const isFree = deleted !== undefined || FREES.has(callee)
    if (call === '' || callee === own || !(isFree || isNamedLikeRelease(callee))) continue
    const given = deleted === undefined ? args.split(',').map(each => each.trim()) : [deleted]
    if ((given.length > 1 && isFree) || !given.some(each => parameters.includes(each))) continue
    const condition = readCondition(text, body, behind)
    if (!condition) continue
    const { asked, before: from } = condition
    const position = given.findIndex(each => parameters.includes(each) && (asked === undefined || asked === each))
    const name = given[position]
    if (name === undefined) continue
    const written = text.slice(body, from)
    // Expressions that name the parameter are made for few: neither braces nor these words are in what they take away.
    if (countDepth(written) !== 1 || /\b(?:goto|break|else)\b/.test(written)) continue
    const before = /\breturn\b/.test(written) ? written.replace(isMissing(name), ';') : written
    if (/\breturn\b/.test(before)) continue
    if (asked !== undefined && !/[;{}]\s*$/.test(before)) continue
    if (isChanged(name).test(before)) continue
    // Nothing is told of a function with conditional lines.
    if (/^[ \t]*#/m.test(text.slice(body, end))) return undefined
    const release = { parameter: parameters.indexOf(name), at: { start: place, end: place + call.length } }
    return isFree ? release : { ...release, by: { name: callee, parameter: position } }
  }
  return undefined
}

/** Behind the sign after which a statement begins at a place; undefined where none does. */
function findStatement(text: string, place: number): number | undefined {
  let at = place
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at--
  return at > 0 && ';{})'.includes(text[at - 1]!) ? at : undefined
}

/** What a statement waits for: nothing, or that a name is not NULL; and up to where what is before that goes. Undefined where it waits for anything else. */
function readCondition(text: string, body: number, behind: number): { asked?: string; before: number } | undefined {
  const sign = text[behind - 1]
  if (sign === '{' || sign === ')') {
    const from = Math.max(body, behind - LONGEST_ASKED)
    const found = ASKED.exec(text.slice(from, behind))
    if (found) return { asked: found[1]!, before: from + found.index }
  }
  return sign === ')' ? undefined : { before: behind }
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
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 123) depth++
    else if (code === 125) depth--
  }
  return depth
}
