/* Names that are given values by their places among others: several at once, and the parameters of a function that the file declares. */

import type { Name } from './name-at.ts'
import { readItems, readItemText, readPositioned } from './positions.ts'
import { readQuoted, type Value } from './value.ts'

/** What the name is given by its place: in a table's rows, among several that get values at once, or in a function's calls; undefined where its place gives it none. */
export function readByPosition(text: string, name: Name, language: string): Value[] | undefined {
  const placed = readPositioned(text, name, language)
  if (placed.length > 0) return placed
  const one = amongSeveral(text, name)
  if (one) return one === 'none' ? [] : [one]
  const given = ofCalls(text, name)
  return given.length > 0 ? given : undefined
}

const BEFORE =
  /(?:^|[\n;{])[ \t]{0,40}(?:(?:const|let|var|my|our|local)[ \t]{1,4})?[[(]?[ \t]{0,4}((?:[$\w.]{1,60}[ \t]{0,4},[ \t]{0,4}){0,6})[$@]?$/
const AFTER = /((?:[ \t]{0,4},[ \t]{0,4}[$\w.]{1,60}){0,6})[ \t]{0,4}[\])]?[ \t]{0,4}:?=[ \t]{0,4}(?=["'[(\w])/y
const OTHER_ITEM = /[\w$.]{1,60}[ \t]{0,4},[ \t]{0,10}/y

/** What a name gets that is one of several before an equals sign, `user, password = "bob", "…"`: none where that is no text; undefined where it is by itself. */
function amongSeveral(text: string, { start, end }: Name): Value | 'none' | undefined {
  // A comma stands behind the name, or before it where the list ends: a hook asks this of every name.
  const behind = besideBlanks(text, end, 1)
  if (
    behind !== ',' &&
    !(
      (behind === '=' || behind === ':' || behind === ')' || behind === ']') &&
      besideBlanks(text, start - 1, -1) === ','
    )
  )
    return undefined
  const before = BEFORE.exec(text.slice(Math.max(0, start - 200), start))
  if (!before) return undefined
  AFTER.lastIndex = end
  const after = AFTER.exec(text)
  if (!after) return undefined
  const index = before[1]!.split(',').length - 1
  if (index + after[1]!.split(',').length < 2) return undefined
  let at = AFTER.lastIndex
  if (text[at] === '[' || text[at] === '(') {
    const items = readItems(text, at)
    return (items && readItemText(text, items.items[index])) ?? 'none'
  }
  for (let left = index; left > 0; left--) {
    const quoted = readQuoted(text, at)
    const comma = quoted ? /^[ \t]{0,4},[ \t]{0,10}/.exec(text.slice(quoted.after, quoted.after + 16)) : null
    OTHER_ITEM.lastIndex = at
    if (comma) at = quoted!.after + comma[0].length
    else if (!quoted && OTHER_ITEM.test(text)) at = OTHER_ITEM.lastIndex
    else return 'none'
  }
  return readQuoted(text, at) ?? 'none'
}

/** The first sign before or behind a place that is no blank, and does not begin a variable. */
function besideBlanks(text: string, from: number, step: 1 | -1): string {
  let at = from
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '$') at += step
  return text[at] ?? ''
}

/** A declaration up to the list of its parameters, and what follows that list where it is one. */
const DECLARED =
  /(?:\b(?:def|function|func|fun|fn|sub|record|class)[ \t]+(?:\([^()\n]{1,60}\)[ \t]*)?|\b(?:public|private|protected|static|final|async|void|boolean|bool|int|String|string|Task|self)\b[\w<>[\], ?*&]{0,60}[ \t*&])([A-Za-z_]\w{2,60})[ \t]?\($/
const FOLLOWED = /\s{0,4}(?:[:{]|=>|->|throws\b|where\b|[A-Za-z(*[][\w.*()[\], ]{0,40}\{|\n)/y
/** How far before and behind its declaration calls of a function are looked for, how many declarations of a file, and how many calls of each. */
const REACH = 20_000
const MOST_DECLARED = 30
const MOST_CALLS = 40

let last: { text: string; seen: Set<string> } | undefined

/** What calls of a function give a parameter of this name, where the file declares the function: `def login(user, password)` and `login("bob", "…")`. */
function ofCalls(text: string, { start, end, text: name }: Name): Value[] {
  if (name.includes('.')) return []
  const next = text[end]
  if (next !== ',' && next !== ')' && next !== ' ' && next !== ':' && next !== '=') return []
  const open = openingBefore(text, start)
  if (open === -1) return []
  const declared = DECLARED.exec(text.slice(Math.max(0, open - 200), open + 1))
  const parameters = declared && readItems(text, open)
  if (!parameters) return []
  FOLLOWED.lastIndex = parameters.close + 1
  if (!FOLLOWED.test(text)) return []
  const own = parameters.items.filter(
    item => !/^&?(?:mut )?(?:self|cls|this)\b/.test(text.slice(item.start, item.start + 12)),
  )
  const index = own.findIndex(item => item.start <= start && end <= item.end)
  const called = declared[1] === '__init__' || declared[1] === 'constructor' ? undefined : declared[1]
  if (index === -1 || called === undefined || !isNew(text, `${called}${index}`)) return []
  const from = Math.max(0, open - REACH)
  const out: Value[] = []
  for (const { index: place, 0: call } of text.slice(from, open + REACH).matchAll(new RegExp(`\\b${called}\\(`, 'g'))) {
    const at = from + place + call.length - 1
    if (at === open || out.length >= MOST_CALLS) continue
    const items = readItems(text, at)
    if (!items || items.items.length > own.length) continue
    const value = readItemText(text, items.items[index])
    if (value) out.push(value)
  }
  return out
}

/** Where the bracket opens that a place stands in, on its line or the ones before; -1 where something else begins between. */
function openingBefore(text: string, at: number): number {
  for (let from = at - 1; from >= Math.max(0, at - 300); from--) {
    const char = text[from]
    if (char === '(') return from
    if (char === ')' || char === ';' || char === '{' || char === '}' || char === '"') return -1
  }
  return -1
}

/** Whether the function was not asked about yet: a file of nothing but declarations would be searched for each of them. */
function isNew(text: string, key: string): boolean {
  if (last?.text !== text) last = { text, seen: new Set() }
  if (last.seen.has(key) || last.seen.size >= MOST_DECLARED) return false
  last.seen.add(key)
  return true
}
