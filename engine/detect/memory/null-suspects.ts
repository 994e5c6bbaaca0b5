import { isSpace, isWord } from './call-index.ts'
import { isCompared } from './comparisons.ts'

/** How a pointer to nothing is written. */
const NULLS = ['NULL', 'nullptr'] as const

/** Those that a file has. */
export function listNulls(text: string): string[] {
  return NULLS.filter(each => text.includes(each))
}

/** No name is longer, with the spaces behind it. */
const LONGEST_NAME = 80

/** So far from where a pointer is NULL it is looked for what follows it. */
const LONGEST_NULL = 4000

/**
 * Whether a function may follow a pointer that is NULL on some way, is set on others, and is followed without a loop before that and without that
 * anybody asks for it. `nulls` are those that the file has.
 */
export function isNullSuspect(own: string, nulls: readonly string[]): boolean {
  for (const written of nulls)
    for (let at = own.indexOf(written); at !== -1; at = own.indexOf(written, at + written.length)) {
      const index = findAssignment(own, at, at + written.length)
      const name = index === undefined ? undefined : readNameBefore(own, index)
      if (name !== undefined && isFollowed(own, name, index!) && isSetOtherwise(own, name)) return true
    }
  return false
}

/** The sign by which something is set to what stands between two places; undefined where nothing is. */
function findAssignment(own: string, start: number, end: number): number | undefined {
  let behind = end
  while (behind < own.length && isSpace(own.charCodeAt(behind))) behind++
  if (own[behind] !== ';') return undefined
  let at = start
  while (at > 0 && isSpace(own.charCodeAt(at - 1))) at--
  return at > 0 && own[at - 1] === '=' ? at - 1 : undefined
}

/** The name of a variable that stands before a place. */
function readNameBefore(own: string, place: number): string | undefined {
  const least = Math.max(0, place - LONGEST_NAME)
  let end = place
  while (end > least && isSpace(own.charCodeAt(end - 1))) end--
  let start = end
  while (start > least && isWord(own.charCodeAt(start - 1))) start--
  const name = own.slice(start, end)
  return /^[A-Za-z_]/.test(name) && !(start > least && /[.>]/.test(own[start - 1]!)) ? name : undefined
}

/** Whether it is followed behind a place, without a loop before that. */
function isFollowed(own: string, name: string, place: number): boolean {
  const behind = own.slice(place, place + LONGEST_NULL)
  const found = [`${name}->`, `*${name}`, `${name}[`].map(each => behind.indexOf(each)).filter(at => at !== -1)
  return found.length > 0 && !/\b(?:for|while|goto)\b|for_each/.test(behind.slice(0, Math.min(...found)))
}

/** Whether it is set to something else, nobody has its address and nobody asks for it. */
function isSetOtherwise(own: string, name: string): boolean {
  const set = new RegExp(`\\b${name}\\s*=(?!=|\\s*(?:NULL|nullptr)\\s*;)|&\\s*${name}\\b(?!\\s*[-.[])`, 'g')
  const body = own.slice(own.indexOf('{'))
  const others = [...body.matchAll(set)]
  return others.length > 0 && others.every(([all]) => !all.startsWith('&')) && !isCompared(body, name)
}
