/** What a line gives a name, between quotes up to the line's end. */
const ENTRY = /(?:=>?|:(?!:))[ \t]{0,20}(["'])((?:(?!\1[ \t]{0,4}[,;)])[^\n]){1,200})\1[ \t]{0,4}[,;)]{0,3}[ \t\r]*$/

/** Lines on either side that are looked at, so many characters of each side at most. */
const LINES = 12
const REACH = 1500
/** So many entries make a list, and so much of it is phrases where it is one of texts for people. */
const LEAST = 5
const SHARE = 0.5

/** A line of a message catalog's text, and the line that says whose text it is (gettext's PO files). */
const CATALOG_LINE = /^[ \t]*(?:#[~|][ \t]*)?"[^\n]*"[ \t\r]*$/
const CATALOG_KEY = /^[ \t]*(?:#[~|][ \t]*)?msg(?:id|id_plural|str|ctxt)(?:\[\d{1,2}\])?[ \t]+"/
/** So many lines of one text are gone back over, and so many characters. */
const CATALOG_LINES = 200
const CATALOG_REACH = 10_000

/** Letters, and what stands between the words of a text. Unicode's tables cost each start of the program, so they are asked for here alone. */
function isWorded(value: string): boolean {
  return /^[\p{L}\p{M} '’.,!?:…-]+$/u.test(value)
}

/** Two words side by side, a word that no program would use, or what ends as a sentence does. */
function isPhrase(value: string): boolean {
  return /^[^\n]*[\p{L}'’][,.!?:]?[ \u00a0][\p{L}'’{$%(]|[^\x00-\x7f]|\p{L}[.!?:…]$/u.test(value)
}

/**
 * Whether a value is one text of many that a program shows to people: what a language calls a password, among its other messages.
 * A value with digits or signs is no word of a language and never such a text.
 */
export function isTranslation(text: string, start: number, end: number): boolean {
  const value = text.slice(start, end)
  if (isInCatalog(text, start) && isWorded(value.replace(/[\])}>]+$/, ''))) return true
  if (!isWorded(value)) return false
  const before = text
    .slice(Math.max(0, start - REACH), start)
    .split('\n')
    .slice(-LINES - 1, -1)
  const after = text
    .slice(end, end + REACH)
    .split('\n')
    .slice(1, LINES + 1)
  const given = [...before, ...after].flatMap(line => ENTRY.exec(line.slice(-300))?.[2] ?? [])
  return given.length >= LEAST && given.filter(isPhrase).length >= given.length * SHARE
}

/** Whether a place is in a message of a catalog: its line is nothing but text in quotes, or begins a message. */
function isInCatalog(text: string, start: number): boolean {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', start)
  const line = text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd)
  if (line.length > 1000) return false
  if (CATALOG_KEY.test(line)) return true
  if (!CATALOG_LINE.test(line)) return false
  const before = text
    .slice(Math.max(0, lineStart - CATALOG_REACH), lineStart)
    .split('\n')
    .slice(-CATALOG_LINES - 1, -1)
  return CATALOG_KEY.test(before.findLast(each => !CATALOG_LINE.test(each)) ?? '')
}
