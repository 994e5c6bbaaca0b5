import { readLineBefore } from './beside.ts'
import type { Name } from './name-at.ts'
import { looksMade } from './shape.ts'
import type { Value } from './value.ts'

/** What opens a text of many lines in backquotes: it is given to something. */
const GIVEN = /[=(,:[+{]\s{0,2}$/
const HEREDOC = /<<[-~]?\s?["'`]?([A-Z][A-Z0-9_]{2,30})["'`]?/g
/** How far back the beginning of a text of many lines is looked for, where it is not known of the whole file. */
const REACH = 4000
const TRIPLES = ['"""', "'''"] as const

let last: { text: string; triples: number[][] } | undefined

/**
 * Whether a place of a program stands in a text of many lines: between three quotes, in backquotes, in a here-document or in Perl's
 * and Ruby's documentation. Settings that stand there are written as in a file of their own.
 */
function isEmbedded(text: string, at: number): boolean {
  if (last?.text !== text) last = { text, triples: TRIPLES.map(quotes => placesOf(text, quotes)) }
  return last.triples.some(places => isOdd(places, at)) || isInBackquotes(text, at) || isInDocument(text, at)
}

function placesOf(text: string, quotes: string): number[] {
  const out: number[] = []
  for (let at = text.indexOf(quotes); at !== -1; at = text.indexOf(quotes, at + quotes.length)) out.push(at)
  return out
}

/** Whether an odd number of places lies before one: what they open is still open there. */
function isOdd(places: readonly number[], at: number): boolean {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (places[middle]! < at) low = middle + 1
    else high = middle
  }
  return low % 2 === 1
}

function isInBackquotes(text: string, at: number): boolean {
  const from = Math.max(0, at - REACH)
  const before = text.slice(from, at)
  const opening = before.lastIndexOf('`')
  return (
    opening > 0 && GIVEN.test(before.slice(Math.max(0, opening - 3), opening)) && before.indexOf('\n', opening) !== -1
  )
}

function isInDocument(text: string, at: number): boolean {
  const before = `\n${text.slice(Math.max(0, at - REACH), at)}`
  const section = before.lastIndexOf('\n=')
  if (
    section !== -1 &&
    /^\n=(?:pod|head\d|item|over|back|begin|for|encoding)\b/.test(before.slice(section, section + 11))
  )
    return true
  const opened = [...before.matchAll(HEREDOC)].at(-1)
  return opened !== undefined && !new RegExp(`\\n[ \\t]*${opened[1]}\\b`).test(before.slice(opened.index))
}

/** A setting on a line of its own, up to its value, and what of the value decides. */
const SETTING = /^[ \t]*(?:[-*#;][ \t]{1,4})?(?:\w[\w.-]*\.)?$/
const SET = /[ \t]{0,10}[:=][ \t]{0,10}([^\s"'`()[\]{};,$<>|]{4,100})[ \t]*(?:\\n["']?[ \t]*)?(?=\r?\n|[`"']|$)/y

/** Whether a colon or an equals sign comes next: a hook asks this of every name, and an expression has to be compiled. */
function isTied(text: string, at: number): boolean {
  let from = at
  while (text[from] === ' ' || text[from] === '\t') from++
  return text[from] === ':' || text[from] === '='
}

/** Whether a name in a program stands in the settings of a text of many lines, and has a made-up value there. */
export function isSetting(text: string, name: Name): boolean {
  if (!isTied(text, name.end) || !SETTING.test(readLineBefore(text, name.start))) return false
  SET.lastIndex = name.end
  const value = SET.exec(text)?.[1]
  return value !== undefined && looksMade(value, false) && isEmbedded(text, name.start)
}

/** Of the last line of a text of many lines the value alone. */
export function trimEnding(value: Value): Value {
  const end = /["'`]{1,3}[);,]{0,3}$/.exec(value.text)
  return end ? { ...value, end: value.end - end[0].length, text: value.text.slice(0, end.index) } : value
}
