import { commonPassword } from './chosen-passwords.ts'
import { looksMade } from './shape.ts'
import { isWordAlone } from './told.ts'
import type { Value } from './value.ts'

/** What parts the head of a table from its rows. */
const RULE = /^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
/** What a head says before the name: a word or two, set off at most. */
const HEAD = /(?:^|\|)[ \t]*[`*_]{0,2}(?:[\w-]+[ \t]+){0,2}$/
const MOST_ROWS = 10
const LONGEST_LINE = 300

/** The passwords in the rows of a table for people, the head of whose column is the name: `| user | password |`. */
export function cellsAt(text: string, nameStart: number, nameEnd: number): Value[] {
  const from = Math.max(0, nameStart - LONGEST_LINE)
  const near = text.slice(from, nameEnd + LONGEST_LINE)
  const opening = near.lastIndexOf('\n', nameStart - from - 1)
  const closing = near.indexOf('\n', nameEnd - from)
  if ((opening === -1 && from > 0) || closing === -1) return []
  const lineStart = from + opening + 1
  const lineEnd = from + closing
  const head = text.slice(lineStart, lineEnd)
  if (!head.includes('|')) return []
  const ruleEnd = endOfLine(text, lineEnd + 1)
  if (ruleEnd - lineEnd > LONGEST_LINE || !RULE.test(text.slice(lineEnd + 1, ruleEnd))) return []
  const before = head.slice(0, nameStart - lineStart)
  if (!HEAD.test(before) || !/^[`*_]{0,2}[ \t]*(?:\||$)/.test(head.slice(nameEnd - lineStart))) return []
  const column = before.split('|').length - 1
  const isOfUsers = /\|[ \t`*_]{0,4}(?:user|login|account|user ?name)[ \t`*_]{0,4}\|/i.test(`|${head}`)
  const out: Value[] = []
  let next = ruleEnd + 1
  for (let row = 0; row < MOST_ROWS && next < text.length; row++) {
    const end = endOfLine(text, next)
    const cells = text.slice(next, end).split('|')
    if (cells.length < 2) break
    const cell = cells[column] ?? ''
    const found = /^[ \t]*[`*_"']{0,3}([^\s`*"'|]{4,60})[`*_"']{0,3}[ \t]*$/.exec(cell)
    const isPassword = found && (looksMade(found[1]!, false) || commonPassword(found[1]!) !== undefined)
    if (isPassword || (found && isOfUsers && isWordAlone(found[1]!))) {
      const start = next + cells.slice(0, column).join('|').length + Number(column > 0) + cell.indexOf(found[1]!)
      const stop = start + found[1]!.length
      out.push({ start, end: stop, text: found[1]!, quote: '', wrapped: false, after: stop })
    }
    next = end + 1
  }
  return out
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/** Whose password a row of a file of values gives. */
const WHOSE = /(?:^|[,;\t])"?(?:\w{0,20}(?:user|login|account|mail)\w{0,20}|name)"?(?:[,;\t]|$)/i

/** The passwords in the rows of a file of values, whose first line names the column beside one of users: `user,password`. */
export function columnAt(text: string, nameStart: number, nameEnd: number): Value[] {
  if (nameEnd > LONGEST_LINE) return []
  const headEnd = endOfLine(text, 0)
  if (nameEnd > headEnd || headEnd > LONGEST_LINE) return []
  const head = text.slice(0, headEnd).replace(/\r$/, '')
  const sign = /[,;\t]/.exec(head)?.[0]
  if (sign === undefined || !WHOSE.test(head) || !/^"?(?:[,;\t]|\r?\n|$)/.test(text.slice(nameEnd, nameEnd + 3)))
    return []
  if (!/(?:^|[,;\t])"?$/.test(text.slice(0, nameStart))) return []
  const column = text.slice(0, nameStart).split(sign).length - 1
  const out: Value[] = []
  let next = headEnd + 1
  for (let row = 0; row < MOST_ROWS && next < text.length; row++) {
    const end = endOfLine(text, next)
    const cells = text.slice(next, Math.min(end, next + 4 * LONGEST_LINE)).split(sign)
    const cell = cells[column] ?? ''
    const found = /^"?([^\s"'<>{}$]{5,60})"?\r?$/.exec(cell)?.[1]
    if (found !== undefined && (looksMade(found, false) || isWordAlone(found))) {
      const start = next + cells.slice(0, column).join(sign).length + Number(column > 0) + cell.indexOf(found)
      const stop = start + found.length
      out.push({ start, end: stop, text: found, quote: '', wrapped: false, after: stop })
    }
    next = end + 1
  }
  return out
}
