import { detectCommonPassword } from './chosen-passwords.ts'
import { looksMade } from './shape.ts'
import { isWordAlone } from './told.ts'
import type { Value } from './value.ts'

/** What parts the head of a table from its rows, and in a grid each row from the next. */
const RULE = /^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$|^[ \t]*\+(?:[=-]+\+)+[ \t]*\r?$/
/** What stands above the head of a table in a scenario, which has no rule: a step, or `Examples:`. */
const STEP = /:[ \t]*\r?\n$/
/** What a head says before the name: a word or two, set off at most. */
const HEAD = /(?:^|\|)[ \t]*[`*_]{0,2}(?:[\w-]+[ \t]+){0,2}$/
const MOST_ROWS = 10
const LONGEST_LINE = 300

/** The passwords in the rows of a table for people, the head of whose column is the name: `| user | password |`. */
export function readCells(text: string, nameStart: number, nameEnd: number): Value[] {
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
  const isRuled = ruleEnd - lineEnd <= LONGEST_LINE && RULE.test(text.slice(lineEnd + 1, ruleEnd))
  if (!isRuled && !STEP.test(text.slice(Math.max(0, lineStart - 8), lineStart))) return []
  const before = head.slice(0, nameStart - lineStart)
  if (!HEAD.test(before) || !/^[`*_]{0,2}[ \t]*(?:\||$)/.test(head.slice(nameEnd - lineStart))) return []
  const column = before.split('|').length - 1
  const isOfUsers = /\|[ \t`*_]{0,4}(?:user|login|account|user ?name)[ \t`*_]{0,4}\|/i.test(`|${head}`)
  const out: Value[] = []
  let next = (isRuled ? ruleEnd : lineEnd) + 1
  for (let row = 0; row < MOST_ROWS && next < text.length; row++) {
    const end = endOfLine(text, next)
    const line = text.slice(next, end)
    const cells = line.split('|')
    if (cells.length < 2 && !RULE.test(line)) break
    const before = cells.slice(0, column).join('|').length + Number(column > 0)
    const value = cellOf(cells[column] ?? '', next + before, isOfUsers)
    if (value) out.push(value)
    next = end + 1
  }
  return out
}

/** What a cell holds that begins at `at`, where it may be a password; a word may be one beside a column of users. */
function cellOf(cell: string, at: number, isOfUsers: boolean): Value | undefined {
  const found = /^[ \t]*[`*_"']{0,3}([^\s`*"'|]{4,60})[`*_"']{0,3}[ \t]*\r?$/.exec(cell)?.[1]
  if (found === undefined) return undefined
  const isPassword = looksMade(found, false) || detectCommonPassword(found) !== undefined
  if (!isPassword && !(isOfUsers && isWordAlone(found))) return undefined
  const start = at + cell.indexOf(found)
  const end = start + found.length
  return { start, end, text: found, quote: '', wrapped: false, after: end }
}

/** The rule of a table without signs between its columns, as reStructuredText has it above and below the head. */
const COLUMNS = /^[ \t]*={2,}(?:[ \t]+={2,})+[ \t]*\r?$/

/** The passwords in the column below the name, where the columns are as wide as the rules above and below the head. */
export function readRuled(text: string, nameStart: number, nameEnd: number): Value[] {
  const from = Math.max(0, nameStart - LONGEST_LINE)
  const near = text.slice(from, nameEnd + LONGEST_LINE)
  const closing = near.indexOf('\n', nameEnd - from)
  const lineStart = from + near.lastIndexOf('\n', nameStart - from - 1) + 1
  const lineEnd = from + closing
  // The rule above is a line of its own, so that none before the head means that there is no such table.
  if (closing === -1 || lineStart === from) return []
  const ruleEnd = endOfLine(text, lineEnd + 1)
  const rule = text.slice(lineEnd + 1, ruleEnd)
  if (rule.length > LONGEST_LINE || !COLUMNS.test(rule)) return []
  const above = text.slice(Math.max(0, lineStart - LONGEST_LINE), Math.max(0, lineStart - 1))
  if (!COLUMNS.test(above.slice(above.lastIndexOf('\n') + 1))) return []
  const columns = Array.from(rule.matchAll(/=+/g), ({ 0: { length }, index }) => ({ from: index, to: index + length }))
  const column = columns.findIndex(({ from, to }) => from <= nameStart - lineStart && nameEnd - lineStart <= to)
  const own = columns[column]
  const head = text.slice(lineStart, lineEnd)
  if (!own || head.slice(own.from, own.to).trim() !== text.slice(nameStart, nameEnd)) return []
  const isOfUsers = /(?:^|\s)(?:user|login|account|user ?name)(?:\s|$)/i.test(head)
  const out: Value[] = []
  let next = ruleEnd + 1
  for (let row = 0; row < MOST_ROWS && next < text.length; row++) {
    const end = endOfLine(text, next)
    const line = text.slice(next, end)
    if (line.trim() === '' || COLUMNS.test(line)) break
    // The last column goes on to the end of the line.
    const cell = line.slice(own.from, column === columns.length - 1 ? line.length : own.to)
    const value = cellOf(cell, next + own.from, isOfUsers)
    if (value) out.push(value)
    next = end + 1
  }
  return out
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/** What stands above the secrets by which two ends of a line know each other (pppd(8), "Authentication"). */
const CHAP_HEAD = /(?:^|\n)#[ \t]*client[ \t]+server[ \t]+$/i
const CHAP_ROW =
  /^[ \t]*(?:"[^"\n]{1,80}"|[^\s#"]{1,80})[ \t]+(?:"[^"\n]{1,80}"|[^\s"]{1,80})[ \t]+("?)([^\s"@][^\s"]{2,79})\1(?=[ \t]|\r?$)/

/** The secrets of a file of them for PPP, below the line that says what stands where. */
export function readChap(text: string, nameStart: number, nameEnd: number): Value[] {
  if (!CHAP_HEAD.test(text.slice(Math.max(0, nameStart - 60), nameStart))) return []
  const out: Value[] = []
  let next = endOfLine(text, nameEnd) + 1
  for (let row = 0; row < MOST_ROWS && next < text.length; row++) {
    const end = endOfLine(text, next)
    const found = CHAP_ROW.exec(text.slice(next, Math.min(end, next + LONGEST_LINE)))
    if (found) {
      const stop = next + found[0].length - found[1]!.length
      out.push({ start: stop - found[2]!.length, end: stop, text: found[2]!, quote: '"', wrapped: false, after: stop })
    }
    next = end + 1
  }
  return out
}

/** Whose password a row of a file of values gives. */
const WHOSE = /(?:^|[,;\t])"?(?:\w{0,20}(?:user|login|account|mail)\w{0,20}|name)"?(?:[,;\t]|$)/i

/** The passwords in the rows of a file of values, whose first line names the column beside one of users: `user,password`. */
export function readColumn(text: string, nameStart: number, nameEnd: number): Value[] {
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
