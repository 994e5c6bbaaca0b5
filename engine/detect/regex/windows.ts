import type { Vicinity } from '../rules/active-rules.ts'

/** A part of a text, from one offset to another. */
export interface Window {
  start: number
  end: number
}

/** So many blank lines in a row are reckoned with; where more follow each other, the whole text is searched. */
const BLANK_LINES = 8
const BLANK = new RegExp(`\\n(?:[^\\S\\n]*\\n){${BLANK_LINES}}`)
/** Parts that come to more than this of the text are not worth it. */
const MOST_OF = 0.5

/**
 * The parts of a text in which an expression can match, in order and apart: whole lines around its literals. Undefined where the text as a
 * whole is to be searched.
 */
export function findWindows(text: string, { literals, lines, runs }: Vicinity): Window[] | undefined {
  const reach = lines + runs * BLANK_LINES
  const out: Window[] = []
  let covered = 0
  const next = literals.map(literal => text.indexOf(literal))
  for (;;) {
    let first = -1
    for (let index = 0; index < next.length; index++)
      if (next[index] !== -1 && (first === -1 || next[index]! < next[first]!)) first = index
    if (first === -1) break
    const hit = next[first]!
    const behind = hit + literals[first]!.length
    const start = goBack(text, hit, reach)
    const end = goOn(text, behind, reach)
    const last = out.at(-1)
    if (last && start <= last.end) {
      covered += end - last.end
      last.end = end
    } else {
      covered += end - start
      out.push({ start, end })
    }
    if (covered > text.length * MOST_OF) return undefined
    // What else stands up to the end is in the part already, and what it reaches is looked for from there on.
    next[first] = text.indexOf(literals[first]!, hit + 1)
  }
  if (runs > 0 && out.some(({ start, end }) => BLANK.test(text.slice(start, end)))) return undefined
  return out
}

/** Where the line begins that is so many before that of a place; with the line break before it, which an expression may look at. */
function goBack(text: string, from: number, lines: number): number {
  let at = from
  for (let count = 0; count <= lines && at > 0; count++) at = Math.max(0, text.lastIndexOf('\n', at - 1))
  return at
}

/** Behind the line that is so many behind that of a place. */
function goOn(text: string, from: number, lines: number): number {
  let at = from
  for (let count = 0; count <= lines; count++) {
    const end = text.indexOf('\n', at)
    if (end === -1) return text.length
    at = end + 1
  }
  return at
}
