import { COMMENT, isWord, STRING } from './reading.ts'
import { getBody, type Opener } from './scanner.ts'

/** Rust: `r"…"`, `br#"…"#`, `c"…"`: as many `#` close it as open it, and nothing is escaped. */
export const scanRustRaw: Opener = (scanner, at) => {
  const { text } = scanner
  let i = at - 1
  while (i >= 0 && text[i] === '#') i--
  if (text[i] !== 'r' || i < 0) return -1
  const hashes = at - 1 - i
  const prefixed = text[i - 1] === 'b' || text[i - 1] === 'c' ? i - 2 : i - 1
  if (prefixed >= 0 && isWord(text.charCodeAt(prefixed))) return -1
  return scanner.until(`"${'#'.repeat(hashes)}`, at + 1, at, STRING)
}

/** C++: `R"mark(…)mark"`, with the prefixes L, u, U and u8. */
export const scanCppRaw: Opener = (scanner, at) => {
  const { text } = scanner
  if (at === 0 || text[at - 1] !== 'R') return -1
  let i = at - 2
  if (text[i] === '8' && text[i - 1] === 'u') i -= 2
  else if (text[i] === 'L' || text[i] === 'u' || text[i] === 'U') i--
  if (i >= 0 && isWord(text.charCodeAt(i))) return -1
  const mark = matchSticky(/"([^()\\\s"]{0,16})\(/y, text, at)
  return mark ? scanner.until(`)${mark[1]}"`, at + mark[0].length, at, STRING) : -1
}

/** C# 11: three or more quotes close as they open; each `$` before them adds a brace to what opens code. */
export const scanCsharpRaw: Opener = (scanner, at) => {
  const opening = matchSticky(/(\$*)("{3,})/y, scanner.text, at)
  if (!opening) return -1
  const [whole, dollars, quotes] = opening as unknown as [string, string, string]
  const form = { open: quotes, multiline: true as const }
  const code = { open: '{'.repeat(dollars.length), close: '}', lines: true as const }
  return scanner.body(getBody(dollars === '' ? form : { ...form, interpolations: [code] }), at + whole.length, at)
}

/** Swift: `#"…"#` and `#"""…"""#`, in which `\#(` opens code. */
export const scanSwiftRaw: Opener = (scanner, at) => {
  const opening = matchSticky(/(#+)("(?:"")?)/y, scanner.text, at)
  if (!opening) return -1
  const [whole, hashes, quotes] = opening as unknown as [string, string, string]
  const lines = quotes.length === 3 ? { multiline: true as const } : {}
  const interpolations = [{ open: `\\${hashes}(`, close: ')' }]
  return scanner.body(getBody({ open: whole, close: quotes + hashes, interpolations, ...lines }), at + whole.length, at)
}

/** Lua: `[[…]]`, `[==[…]==]`, and behind two dashes the same as comments. */
export const scanLuaBrackets: Opener = (scanner, at) => bracketed(scanner, at, /(--)?\[(=*)\[/y)

/** CMake: `[[…]]`, `[=[…]=]`, and behind `#` the same as comments. */
export const scanCmakeBrackets: Opener = (scanner, at) => bracketed(scanner, at, /(#)?\[(=*)\[/y)

function bracketed(scanner: Parameters<Opener>[0], at: number, opening: RegExp): number {
  const found = matchSticky(opening, scanner.text, at)
  if (!found) return -1
  return scanner.until(`]${found[2]}]`, at + found[0].length, at, found[1] === undefined ? STRING : COMMENT)
}

const PAIRS: Record<string, string> = { '(': ')', '[': ']', '{': '}', '<': '>' }

/** Elixir: `~s(…)`, `~r/…/`, `~S"""…"""`; only a small letter lets a backslash escape and `#{` open code. */
export const scanElixirSigil: Opener = (scanner, at) => {
  const found = matchSticky(/~([a-z]|[A-Z]+)("""|'''|[/|"'([{<])/y, scanner.text, at)
  if (!found) return -1
  const [whole, letter, open] = found as unknown as [string, string, string]
  const close = PAIRS[open] ?? open
  const form = { open, close, multiline: true as const }
  if (letter >= 'a') {
    const interpolations = [{ open: '#{', close: '}', lines: true as const }]
    return scanner.body(getBody({ ...form, escape: '\\', interpolations }), at + whole.length, at)
  }
  return scanner.body(getBody(form), at + whole.length, at)
}

/** A sticky expression tried at one place. */
export function matchSticky(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at
  return sticky.exec(text)
}
