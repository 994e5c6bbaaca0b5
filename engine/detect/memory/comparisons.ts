import { isSpace, isWord } from './call-index.ts'

/** Whether a text compares the name with anything, divides by it or has it checked; however its letters are written. */
export function isCompared(text: string, name: string): boolean {
  for (const { index } of text.matchAll(new RegExp(`\\b${name}\\b`, 'gi'))) {
    COMPARES.lastIndex = index + name.length
    if (COMPARES.test(text) || isComparedBefore(text, index) || isAsked(text, index, name) || isChecked(text, index))
      return true
  }
  return false
}

/** What stands behind what is compared. */
const COMPARES = /\s*\)*\s*(?:[<>/%](?!<)|[=!]=|\?)/y

/** Whether an operator that compares or divides stands before a place. */
function isComparedBefore(text: string, place: number): boolean {
  let end = skipSpaceBack(text, place)
  while (text[end - 1] === '(') end--
  end = skipSpaceBack(text, end)
  const [third, second, first] = [text[end - 3], text[end - 2], text[end - 1]]
  if (first === '/' || first === '%') return true
  const isAngle = (sign: string | undefined) => sign === '<' || sign === '>'
  // No arrow, and nothing that is shifted.
  const isOther = (sign: string | undefined) => sign !== undefined && sign !== '-' && sign !== '<'
  if (first === '=') return second === '=' || second === '!' || (isAngle(second) && isOther(third))
  return isAngle(first) && isOther(second)
}

/** Whether a condition asks for it: by itself, or whether it is not there. */
function isAsked(text: string, place: number, name: string): boolean {
  const before = skipSpaceBack(text, place) - 1
  if (text[before] === '!') return '(!&|'.includes(text[skipSpaceBack(text, before) - 1] ?? ' ')
  if (text[before] !== '(' || text[skipSpace(text, place + name.length)] !== ')') return false
  const end = skipSpaceBack(text, before)
  return /^if$/i.test(text.slice(Math.max(0, end - 2), end)) && !isWord(text.charCodeAt(end - 3))
}

/** Functions and macros that check what they are given, by their names; and no more than this stands before it. */
const CHECKS = /overflow|check|valid|assert|max|min|limit|clamp/i
const LONGEST_ARGUMENTS = 200

/** Whether it is passed to what checks it. */
function isChecked(text: string, place: number): boolean {
  const least = Math.max(0, place - LONGEST_ARGUMENTS - 1)
  for (let at = place - 1; at >= least && text[at] !== ';'; at--) {
    if (text[at] !== '(') continue
    const end = skipSpaceBack(text, at)
    let start = end
    while (start > 0 && isWord(text.charCodeAt(start - 1))) start--
    if (CHECKS.test(text.slice(start, end))) return true
  }
  return false
}

function skipSpaceBack(text: string, from: number): number {
  let at = from
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at--
  return at
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text.charCodeAt(at))) at++
  return at
}
