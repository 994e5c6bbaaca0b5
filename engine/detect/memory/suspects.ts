import type { Defect } from '../../base/records/rule.ts'
import type { Span } from '../taint/ir.ts'
import { Body } from './body.ts'
import { ANY_CALLS, CALLS } from './call-index.ts'
import { ALLOCATES, FILLS, FOLLOWS, FREES, NUMBERS, READS_NUMBER } from './library.ts'
import { isBeyond, isSizing } from './size-suspects.ts'
import { isUsedAgain } from './used-again.ts'

/** What is known of a function beside its text. */
export interface Surroundings {
  /** Macros were replaced in the text. */
  isExpanded: boolean
  /** The language has `new` and `delete`. */
  isCpp: boolean
  /** What functions of the file, or others that are known, free: by their names. */
  releases: ReadonlyMap<string, unknown>
  /** The number that a macro of the file is. */
  number(name: string): number | undefined
  /** What it calls, as bits of `CALLS`. */
  calls: number
}

/**
 * Which functions are worth carrying out, by their text: those that cannot do anything of what is looked for are neither parsed nor
 * walked through, which is what most of a large program is.
 */
export function isSuspect(
  text: string,
  { start, end }: Span,
  wanted: ReadonlySet<Defect>,
  file: Surroundings = {
    isExpanded: false,
    isCpp: true,
    releases: new Map(),
    number: () => undefined,
    calls: ANY_CALLS,
  },
): boolean {
  const body = new Body(text.slice(text.indexOf('{', start), end))
  const asks = (...defects: Defect[]): boolean => defects.some(defect => wanted.has(defect))
  const calls = (kind: number): boolean => (file.calls & kind) !== 0
  return (
    (asks('unchecked-null', 'null-followed', 'leak', 'open-file', 'overflow') &&
      isAllocating(body, calls(CALLS.ALLOCATES), file.isCpp)) ||
    (asks('use-after-free', 'double-free', 'free-of-stack') &&
      (((calls(CALLS.FREES) || (file.isCpp && body.text.includes('delete'))) && isReleasing(body, RELEASE)) ||
        isReleasingBy(body, file.releases))) ||
    (calls(CALLS.NUMBERS) &&
      asks('unchecked-index', 'unchecked-length', 'allocation-overflow', 'division') &&
      isCounting(body)) ||
    (asks('out-of-bounds', 'overflow', 'free-of-stack', 'unbounded-copy') && isBeyond(body.text, file)) ||
    (calls(CALLS.SIZES) && asks('unsure-size') && isSizing(text.slice(start, end))) ||
    (asks('unset') && isUnset(body))
  )
}

const names = (of: object): string => Object.keys(of).join('|')
const ALLOCATION = new RegExp(`\\b(${names(ALLOCATES)})\\s*\\(`, 'g')
const RELEASE = new RegExp(
  `\\b(?:${[...FREES].join('|')})\\s*\\(\\s*(?:\\([^();]{1,80}\\)\\s*)?(\\w+)\\s*\\)|\\bdelete(?:\\s*\\[\\s*\\])?\\s+(\\w+)\\s*;`,
  'g',
)
const NUMBER = new RegExp(`\\b(${names(NUMBERS)}|${names(READS_NUMBER)})\\s*\\(`, 'g')
const FOLLOWING = new RegExp(`\\b(?:${names(FOLLOWS)})\\s*\\([^;]*$`)
const PLAIN =
  /(?:^|[;{}])\s*(?:(?:const|unsigned|signed|long|short|int|char|float|double|size_t|u?int\d+_t|[us]\d+|struct\s+\w+|\w+_t)\s+)+\**\s*(\w+)\s*[;,]/gm

/** More than this is not written between what takes a value and the call that gives it. */
const LONGEST_CAST = 160

/** A block that a variable takes: one that is used before anything is asked of it, or that a function of a program may lose. */
function isAllocating(body: Body, calls: boolean, isCpp: boolean): boolean {
  const { text } = body
  for (const { 0: call, 1: name, index } of calls ? text.matchAll(ALLOCATION) : []) {
    const before = text.slice(Math.max(0, index - LONGEST_CAST), index)
    const taken = /(\w+)\s*=\s*(?:\([^();{}]*\*\s*\)\s*)?$/.exec(before)
    if (!taken) continue
    // In the kernel what is allocated is nearly always kept somewhere.
    if (!/^[kv]/.test(name!)) return true
    const end = text.indexOf(';', index + call.length)
    const next = end === -1 ? -1 : body.placeOf(taken[1]!, end)
    if (next === -1) continue
    if (/^\s*(?:->|\[)/.test(text.slice(next + taken[1]!.length, next + taken[1]!.length + 3))) return true
    const leading = text.slice(Math.max(0, next - 80), next)
    if (/[;{}]\s*\*\s*$/.test(leading) || FOLLOWING.test(leading)) return true
  }
  return isCpp && text.includes('new') && /=\s*new\s+\w/.test(text)
}

/** Something that a function of the file frees, and that is used again. */
function isReleasingBy(body: Body, releases: Surroundings['releases']): boolean {
  if (releases.size === 0) return false
  const called = [...releases.keys()].filter(name => body.text.includes(name))
  if (called.length === 0) return false
  return isReleasing(
    body,
    new RegExp(`\\b(?:${called.join('|')})\\s*\\((?:[^;()]*,)?\\s*(\\w+)\\s*(?:,[^;()]*)?\\)`, 'g'),
  )
}

/** Something that is freed and used again, or freed in a loop that goes on with it. */
function isReleasing(body: Body, release: RegExp): boolean {
  for (const { 0: all, 1: one, 2: other, index } of body.text.matchAll(release))
    if (isUsedAgain(body, (one ?? other)!, index, index + all.length)) return true
  return false
}

/** The names that numbers are read into are looked for in so much of a call. */
const LONGEST_CALL = 600

/** A number from outside that is an index, a length, a factor or a divisor. */
function isCounting(body: Body): boolean {
  const { text } = body
  // What is behind the first place where a variable is given a number is behind the others as well, or between them.
  const seen = new Set<string>()
  for (const { 0: call, 1: name, index } of text.matchAll(NUMBER)) {
    const from = index + call.length
    const given = Object.hasOwn(NUMBERS, name!)
      ? [/(\w+)\s*=\s*(?:\([^();{}]*\)\s*)?$/.exec(text.slice(Math.max(0, index - LONGEST_CAST), index))?.[1]]
      : [...(/^[^;]*/.exec(text.slice(from, from + LONGEST_CALL))?.[0] ?? '').matchAll(/&\s*(\w+)/g)].map(m => m[1])
    for (const variable of given) {
      if (variable === undefined || seen.has(variable)) continue
      seen.add(variable)
      for (let at = body.placeOf(variable, from); at !== -1; at = body.placeOf(variable, at + 1))
        if (counts(text, at, at + variable.length)) return true
    }
  }
  return false
}

/** Whether what stands between two places is an index, a factor or a divisor, the length that a function fills, or makes another number. */
function counts(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 40), start)
  const after = text.slice(end, end + 40)
  if (/[*/%]=?\s*$/.test(before) || /^\s*(?:\*|<<)/.test(after)) return true
  if (/\[\s*$/.test(before)) return /^\s*\]/.test(after)
  if (/,\s*$/.test(before)) return /^\s*[,)]/.test(after) && FILLING.test(readCallee(text, start))
  return false
}

/** Functions that fill something, and macros, which may. */
const FILLING = new RegExp(`^(?:${names(FILLS)}|[A-Z_][A-Z0-9_]*)$`)

/** No call is longer before an argument. */
const LONGEST_BEFORE = 400

/** The function that what stands at a place is passed to, by its name; empty where that is none. */
function readCallee(text: string, place: number): string {
  const least = Math.max(0, place - LONGEST_BEFORE)
  let depth = 0
  for (let at = place - 1; at > least; at--) {
    const code = text.charCodeAt(at)
    if (code === 41) depth++
    else if (code === 40 && depth-- === 0) return /\w*(?=\s*$)/.exec(text.slice(least, at))![0]
  }
  return ''
}

/** A variable without a value whose first use counts on one, or which one condition alone gives a value. */
function isUnset(body: Body): boolean {
  const { text } = body
  for (const { 0: all, 1: name = '', index } of text.matchAll(PLAIN)) {
    const at = body.placeOf(name, index + all.length)
    if (at === -1) continue
    const next = /^\s*(?:=(?!=)|[-+*/|&^]=|\+\+|--|->)?/
      .exec(text.slice(at + name.length, at + name.length + 8))![0]
      .trim()
    if (next !== '' && next !== '=') return true
    if (next !== '=') continue
    const semicolon = text.indexOf(';', at)
    const rest = text.slice(semicolon + 1)
    const [, closing] = /^\s*(\}?)\s*/.exec(rest)!
    const before = text.slice(Math.max(0, at - 160), at)
    if (!/\bif\s*\([^;{}]*\)\s*\{?\s*$/.test(before) || (closing === '' && /\{\s*$/.test(before))) continue
    if (/^\s*\}?\s*else\b/.test(rest)) continue
    // It is used behind that, and given no value anywhere else.
    if (body.placeOf(name, semicolon) !== -1 && !isSetAgain(body, name, semicolon)) return true
  }
  return false
}

/** Whether the variable is given a value, or may be by way of its address, behind a place. */
function isSetAgain(body: Body, name: string, from: number): boolean {
  const { text } = body
  for (let at = body.placeOf(name, from); at !== -1; at = body.placeOf(name, at + 1))
    if (text[at - 1] === '&' || /^\s*=(?!=)/.test(text.slice(at + name.length, at + name.length + 4))) return true
  return false
}
