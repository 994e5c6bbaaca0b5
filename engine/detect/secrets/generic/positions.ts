/* Tables whose head names the columns once, and whose rows give values by their places alone. */

import type { Name } from './name-at.ts'
import { readQuoted, readWrapped, type Value } from './value.ts'

/** How far behind its head a table's rows are looked for, and how many of them are read. */
const REACH = 20_000
const MOST_ROWS = 60
/** How much of a head or a row is read. */
const LONGEST = 2000

/** The values that the rows of a table give the name, which stands in its head; empty where none does. */
export function readPositioned(text: string, name: Name, language: string): Value[] {
  if (language === 'go') return ofCases(text, name)
  if (language === 'c' || language === 'cpp') return ofRecords(text, name)
  if (language === 'python' && isListed(text, name)) return ofParameters(text, name)
  return ofColumn(text, name)
}

/** What a pair of brackets holds, from the first to behind the last character of each item, and where the closing one stands. */
interface Items {
  items: { start: number; end: number }[]
  close: number
}

const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

/** The items between the bracket at `open` and its own end, parted by commas; undefined where it is not closed. */
export function readItems(text: string, open: number): Items | undefined {
  const items: Items['items'] = []
  const most = Math.min(text.length, open + LONGEST)
  let start = open + 1
  let depth = 0
  const add = (end: number) => {
    let from = start
    let to = end
    while (from < to && /\s/.test(text[from]!)) from++
    while (to > from && /\s/.test(text[to - 1]!)) to--
    if (to > from) items.push({ start: from, end: to })
    start = end + 1
  }
  for (let at = open + 1; at < most; at++) {
    const char = text[at]!
    if (char === '"' || char === "'" || char === '`') {
      const quoted = readQuoted(text, at)
      if (!quoted) return undefined
      at = quoted.after - 1
    } else if (char === '(' || char === '[' || char === '{') depth++
    else if (depth > 0) {
      if (char === ')' || char === ']' || char === '}') depth--
    } else if (char === ',') add(at)
    else if (char === ')' || char === ']' || char === '}') {
      if (char !== CLOSING[text[open]!]) return undefined
      add(at)
      return { items, close: at }
    }
  }
  return undefined
}

/** The item that is a text and nothing else. */
export function readItemText(text: string, item: { start: number; end: number } | undefined): Value | undefined {
  const value = item && readQuoted(text, item.start)
  return value && value.after === item.end && value.text !== '' ? value : undefined
}

/** Behind white space and comments of a line each. */
function pastComments(text: string, from: number, sign: RegExp): number {
  sign.lastIndex = from
  sign.test(text)
  return sign.lastIndex
}

const FIELD =
  /^(?:[ \t]*,[ \t]*\w{1,40}){0,8}[ \t]{1,40}(?:string|\[\]byte)[ \t]*(?:`[^`\n]{0,80}`)?[ \t]*(?:\/\/[^\n]*)?\r?(?:\n|$)/
const STRUCT = /(?:\btype[ \t]+(\w{1,60})[ \t]+|\])struct[ \t]?\{[^{}]*$/
const GO_BLANKS = /(?:\s|\/\/[^\n]*\n)*/y
const KEY = /(?:"[^"\n]{0,200}"|\w{1,60})[ \t]*:[ \t]*(?:&?\w{1,60})?(?=\{)/y

/** The cases of a test in Go, whose fields the struct before them declares: `[]struct{ user, password string }{ {"bob", "…"} }`. */
function ofCases(text: string, { start, end }: Name): Value[] {
  if (text[end] !== ' ' && text[end] !== '\t' && text[end] !== ',') return []
  if (!FIELD.test(text.slice(end, end + 200))) return []
  const from = Math.max(0, start - LONGEST)
  const struct = STRUCT.exec(text.slice(from, start))
  if (!struct) return []
  const open = from + text.slice(from, start).lastIndexOf('{')
  const close = text.indexOf('}', end)
  if (close === -1 || close - end > LONGEST || text.slice(end, close).includes('{')) return []
  const fields = fieldsOf(text.slice(open + 1, close))
  const index = fieldsOf(text.slice(open + 1, end)).length - 1
  if (struct[1] === undefined) {
    const rows = pastComments(text, close + 1, GO_BLANKS)
    return text[rows] === '{' ? ofRows(text, rows, fields.length, index) : []
  }
  const out: Value[] = []
  const near = text.slice(close, close + REACH)
  for (const sign of [`]${struct[1]}{`, `]*${struct[1]}{`])
    for (let at = near.indexOf(sign); at !== -1 && out.length < MOST_ROWS; at = near.indexOf(sign, at + 1))
      out.push(...ofRows(text, close + at + sign.length - 1, fields.length, index))
  return out
}

const RECORD = /\bstruct\b[^{};]{0,80}\{[^{}]*\bchar\b[^{};]{0,40}$/
const FILLED = /\}[ \t]*\w{0,60}(?:\[\w{0,30}\])?\s{0,4}=\s{0,4}(?=\{)/y

/** The rows of a table in C, whose columns a struct before them declares: `struct { char *user, *password; } users[] = { { "bob", "…" } };`. */
function ofRecords(text: string, { start, end }: Name): Value[] {
  if (text[end] !== ';' && text[end] !== '[' && text[end] !== ',') return []
  const from = Math.max(0, start - LONGEST)
  const record = RECORD.exec(text.slice(from, start))
  if (!record) return []
  const open = from + text.slice(from, start).lastIndexOf('{')
  const close = text.indexOf('}', end)
  if (close === -1 || close - end > LONGEST) return []
  FILLED.lastIndex = close
  if (!FILLED.test(text)) return []
  const columns = (declared: string) => declared.split(/[;,]/).filter(field => /\w/.test(field)).length
  return ofRows(text, FILLED.lastIndex, columns(text.slice(open + 1, close)), columns(text.slice(open + 1, end)) - 1)
}

/** The names that the fields of a struct have, one after the other. */
function fieldsOf(declared: string): string[] {
  return declared
    .split(/[\n;]/)
    .map(line => line.replace(/\/\/.*$/, '').trim())
    .filter(line => line !== '')
    .flatMap(line => /^\w+(?:\s*,\s*\w+)*/.exec(line)?.[0].split(',') ?? [line])
}

/** Of each row that has so many items, the one at the index. */
function ofRows(text: string, open: number, count: number, index: number): Value[] {
  const out: Value[] = []
  let at = open + 1
  for (let row = 0; row < MOST_ROWS; row++) {
    at = pastComments(text, at, GO_BLANKS)
    KEY.lastIndex = at
    if (KEY.test(text)) at = KEY.lastIndex
    else if (text[at] === '&') at++
    if (text[at] !== '{') break
    const items = readItems(text, at)
    if (!items) break
    const value = items.items.length === count ? readItemText(text, items.items[index]) : undefined
    if (value) out.push(value)
    at = pastComments(text, items.close + 1, GO_BLANKS)
    if (text[at] !== ',') break
    at++
  }
  return out
}

const PARAMETERS =
  /parametrize\(\s{0,40}(?:argnames\s?=\s?)?([[(]\s{0,40})?(["'])([^"'()[\]]{0,200}|(?:["'],\s{0,40}["']|[\w ,]){0,200})$/
const PYTHON_BLANKS = /(?:\s|#[^\n]*\n)*/y
const ROWS = /\s{0,40},?\s{0,80}[\])]?\s{0,40},\s{0,80}(?:argvalues\s?=\s?)?(?=[[(])/y
const ROW = /(?:pytest\.)?param(?=\()/y

/** Whether the name stands among others in a text, or in a text of its own: most names of a program do not. */
function isListed(text: string, { start, end }: Name): boolean {
  return ` ,"'`.includes(text[start - 1] ?? '!') && ` ,"'`.includes(text[end] ?? '!')
}

/** What pytest gives the parameter of a test: `@pytest.mark.parametrize("user, password", [("bob", "…")])`. */
function ofParameters(text: string, { start, end }: Name): Value[] {
  const head = PARAMETERS.exec(text.slice(Math.max(0, start - 300), start))
  if (!head) return []
  const rest = /^[^()[\]\n]{0,200}?["'](?=\s*[,\])])/.exec(text.slice(end, end + 200))
  if (!rest) return []
  const isList = head[1] !== undefined
  const index = head[3]!.split(',').length - 1
  let close = end + rest[0].length
  let count = index + rest[0].split(',').length
  if (isList) {
    const all = readItems(text, start - head[3]!.length - 1 - head[1]!.length)
    if (!all) return []
    close = all.close
    count = all.items.length
  }
  ROWS.lastIndex = close
  if (!ROWS.test(text)) return []
  const out: Value[] = []
  let at = ROWS.lastIndex + 1
  for (let row = 0; row < MOST_ROWS; row++) {
    at = pastComments(text, at, PYTHON_BLANKS)
    ROW.lastIndex = at
    const isCall = ROW.test(text)
    if (isCall) at = ROW.lastIndex
    const isRow = isCall || (count > 1 && (text[at] === '(' || text[at] === '['))
    const items = isRow ? readItems(text, at) : undefined
    const alone = isRow ? undefined : readQuoted(text, at)
    const value = items ? readItemText(text, items.items[index]) : count === 1 ? alone : undefined
    if (value && value.text !== '') out.push(value)
    const after = items ? items.close + 1 : alone?.after
    if (after === undefined) break
    at = pastComments(text, after, PYTHON_BLANKS)
    if (text[at] !== ',') break
    at++
  }
  return out
}

const COLUMN =
  /^["'`\]]?[ \t]{1,40}(?:n?(?:var)?char|character varying|(?:tiny|medium|long|n)?text|string|var(?:char2|binary)|blob)\b/i
const TABLE =
  /\bcreate\s{1,8}(?:temp(?:orary)?\s{1,8})?table\s{1,8}(?:if\s{1,8}not\s{1,8}exists\s{1,8})?([\w."'`[\]]{1,120})\s{0,8}\($/i
/** What of a table's declaration is no column. */
const NO_COLUMN = /^(?:primary|foreign|unique|constraint|check|index|key|fulltext)\b(?!\s+(?:n?(?:var)?char|text|int))/i

/** What rows inserted without a list of columns have in the one of this name, which the table's declaration in the same text places. */
function ofColumn(text: string, { start, end }: Name): Value[] {
  const next = text.charCodeAt(end)
  if (next !== 0x20 && next !== 0x09 && next !== 0x22 && next !== 0x27 && next !== 0x60 && next !== 0x5d) return []
  // Behind most names comes no type: the expression need not be compiled.
  let at = end + (next === 0x20 || next === 0x09 ? 0 : 1)
  if (text[at] !== ' ' && text[at] !== '\t') return []
  while (text[at] === ' ' || text[at] === '\t') at++
  if (!'nvctmlsbNVCTMLSB'.includes(text[at] ?? '!')) return []
  if (!COLUMN.test(text.slice(end, end + 60))) return []
  const open = opened(text, start)
  const table = open === -1 ? null : TABLE.exec(text.slice(Math.max(0, open - 200), open + 1))
  const columns = table && readItems(text, open)
  if (!columns) return []
  const own = columns.items.filter(item => !NO_COLUMN.test(text.slice(item.start, item.start + 40)))
  const index = own.findIndex(item => item.start <= start && end <= item.end && start - item.start <= 1)
  if (index === -1) return []
  const called = table[1]!
    .replace(/["'`[\]]/g, '')
    .split('.')
    .at(-1)!
  const insert = new RegExp(
    `\\binsert\\s{1,8}(?:ignore\\s{1,8})?into\\s{1,8}(?:[\\w"'\`[\\]]{1,60}\\.)?["'\`[]?${called}["'\`\\]]?\\s{1,40}values?\\s{0,40}(?=\\()`,
    'gi',
  )
  const near = text.slice(columns.close, columns.close + REACH)
  return [...near.matchAll(insert)]
    .slice(0, MOST_ROWS)
    .flatMap(found => readInsertedRows(text, columns.close + found.index + found[0].length, index, own.length))
}

/** Of each row from the one whose bracket opens at `from`, the item at the index; where a count is given, of those that have so many. */
export function readInsertedRows(text: string, from: number, index: number, count?: number): Value[] {
  const out: Value[] = []
  let at = from
  for (let row = 0; row < MOST_ROWS && text[at] === '('; row++) {
    const items = readItems(text, at)
    if (!items) break
    const item = count === undefined || items.items.length === count ? items.items[index] : undefined
    const value = item && (readQuoted(text, item.start) ?? readWrapped(text, item.start))
    if (value && value.text !== '') out.push(value)
    const next = /^\s{0,80},\s{0,80}(?=\()/.exec(text.slice(items.close + 1, items.close + 170))
    if (!next) break
    at = items.close + 1 + next[0].length
  }
  return out
}

/** Where the bracket opens that a place stands in, at most so far before it; -1 where there is none. */
function opened(text: string, at: number): number {
  let depth = 0
  for (let from = at - 1; from >= Math.max(0, at - LONGEST); from--) {
    const char = text[from]
    if (char === ')') depth++
    else if (char === '(' && depth-- === 0) return from
    else if (char === ';') return -1
  }
  return -1
}
