import { isVector } from './vectors.ts'

/** What stands around a value, beyond its name: whether a login is set up there or texts for people are listed. */
export interface Around {
  /** How many of a login's other parts (user, host, port, database …) are given close by. */
  login: number
  /** One of them is whose login it is: a user, an account, an address of mail. */
  user: boolean
  /** The user is given the same text: a name that is its own password. */
  sameUser: boolean
  /** Share of the values that lines close by give to names, and that are written for people. */
  phrases: number
  /** More words follow on the line, so that a bare value is the first word of a sentence. */
  goesOn: boolean
  /** The value, a word, stands elsewhere in the text as a name of the program. */
  isName: boolean
  /** The value is a test vector's: digits beside those that a cipher, a MAC or a hash makes of others. */
  isVector: boolean
}

/** Lines before and after that count as close, and characters on either side at most. */
const LINES = 3
const REACH = 300

const PARTS =
  /(user|login|uid|mail|account|host|server|address|port|database|dbname|db|dsn|driver|endpoint|region|client_?id|access_?key_?id|realm|tenant|bucket)(?:_?name|_?id)?["'\]]{0,2}[ \t]{0,4}(?:=|:(?!:)|,[ \t]{0,4}["']|>(?=[^<>\s])|[ \t]["'])/gi
const USERS = ['user', 'login', 'uid', 'mail', 'account']
/** What a line gives a name, up to the line's end. */
const GIVEN = /(?:=>?|:(?!:))[ \t]{0,20}["'`]?([^\s"'`=][^\n]{1,100})$/m
/** No match of it is longer, with a carriage return behind it: a line of many signs would be read on from each of them. */
const LONGEST_GIVEN = 125
/** Two words of letters side by side, or one that no program would use. */
const PHRASE =
  /^[A-Za-z\u00c0-\u04ff]{2,}[,.!?]?[ \u00a0][A-Za-z\u00c0-\u04ff]{2,}|^[A-Za-z]*[\u00c0-\u04ff\u3040-\u9fff]/

/** What stands around the value from `start` to `end`, which says `said` once put together. */
export function readSurroundings(
  text: string,
  start: number,
  end: number,
  quote: string,
  said = text.slice(start, end),
): Around {
  const from = lineEdge(text, start, -1)
  const to = lineEdge(text, end, 1)
  const window = `${text.slice(from, start)} ${text.slice(end, to)}`
  const parts = new Set<string>()
  PARTS.lastIndex = 0
  const value = text.slice(start, end)
  let sameUser = false
  for (let part = PARTS.exec(window); part !== null; part = PARTS.exec(window)) {
    const name = part[1]!.toLowerCase()
    parts.add(name)
    sameUser ||= USERS.includes(name) && isGiven(window, PARTS.lastIndex, value)
  }
  let given = 0
  let phrases = 0
  for (const line of window.split('\n')) {
    const other = GIVEN.exec(line.slice(-LONGEST_GIVEN))?.[1]
    if (other === undefined) continue
    given++
    if (PHRASE.test(other)) phrases++
  }
  return {
    login: parts.size,
    user: USERS.some(part => parts.has(part)),
    sameUser: sameUser || isGivenBefore(text, start, value),
    phrases: given < 2 ? 0 : phrases / given,
    goesOn: quote === '' && /^[ \t]{1,3}[A-Za-z(]/.test(text.slice(end, end + 5)),
    isName: isNameIn(text, start, end),
    isVector: isVector(text, start, end, said),
  }
}

/** Whether the same text is an argument of the call before the value: `create_user('bob', mail, 'bob')`. */
function isGivenBefore(text: string, start: number, value: string): boolean {
  const quote = text[start - 1]
  if ((quote !== '"' && quote !== "'") || value.length > 40) return false
  const line = text.slice(Math.max(0, start - 120), start - 1)
  const open = line.lastIndexOf('(')
  return open !== -1 && line.indexOf(`${quote}${value}${quote},`, open) !== -1
}

/** Whether the text from `at` on is the value, quotes and blanks before it skipped. */
function isGiven(window: string, at: number, value: string): boolean {
  let from = at
  while (from < at + 6 && ' \t"\'=:>'.includes(window[from] ?? '!')) from++
  return window.startsWith(value, from) && !/[\w@.-]/.test(window[from + value.length] ?? ' ')
}

/** Where the window ends, LINES lines away and no more than REACH characters. */
function lineEdge(text: string, at: number, step: 1 | -1): number {
  const edge = step > 0 ? Math.min(text.length, at + REACH) : Math.max(0, at - REACH)
  let lines = 0
  for (let i = at; i !== edge; i += step) {
    if (text.charCodeAt(step > 0 ? i : i - 1) === 10 && ++lines > LINES) return i
  }
  return edge
}

const WORD = /^[A-Za-z_]\w{3,40}$/

/** Whether the word from `start` to `end` stands elsewhere as a whole word that no quote touches. */
function isNameIn(text: string, start: number, end: number): boolean {
  if (end - start > LONGEST_NAME) return false
  const word = text.slice(start, end)
  if (!WORD.test(word) || !mayBeName(text, word, start)) return false
  for (
    let at = text.indexOf(word), seen = 0;
    at !== -1 && seen < 20;
    at = text.indexOf(word, at + word.length), seen++
  ) {
    if (at === start) continue
    const before = text[at - 1] ?? ' '
    const after = text[at + word.length] ?? ' '
    if (BEFORE_NAME.test(before) && AFTER_NAME.test(after)) return true
  }
  return false
}

const LONGEST_NAME = 41
const BEFORE_NAME = /[\s(.,;&*!-]/
const AFTER_NAME = /[\s(),.;[\]-]/
/** From so many questions on about one text its names are gathered: to search all of it for each of thousands of values takes minutes. */
const MANY = 20

let last: { text: string; asked: number; names?: Map<string, number> } | undefined

/** Whether the word stands as a name somewhere else than at `start`; true as long as nobody has asked often enough to know. */
function mayBeName(text: string, word: string, start: number): boolean {
  if (last?.text !== text) last = { text, asked: 0 }
  if (++last.asked < MANY) return true
  last.names ??= namesIn(text)
  const place = last.names.get(word)
  return place !== undefined && place !== start
}

/** Each word that stands as a name, and where: -1 for more than one place. */
function namesIn(text: string): Map<string, number> {
  const names = new Map<string, number>()
  for (const { 0: word, index } of text.matchAll(/[A-Za-z_]\w{3,40}/g)) {
    if (!BEFORE_NAME.test(text[index - 1] ?? ' ') || !AFTER_NAME.test(text[index + word.length] ?? ' ')) continue
    names.set(word, names.has(word) ? -1 : index)
  }
  return names
}
