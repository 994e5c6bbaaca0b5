/** What only Unicode mode can say: properties, code points, letters beyond ASCII. */
const UNICODE = /\\[pPuU]|\\x(?![0-7][0-9A-Fa-f])|\P{ASCII}/u

/** How an expression begins that means ASCII already. */
const ASCII_MODE = '(?-u)'

/**
 * A Rust regular expression that means ASCII where it says `\w`, `\d`, `\s`, `\b` or ignores case, as in JavaScript. The
 * Unicode tables behind them make an expression a hundred times as slow to compile (1.5 ms for one `\w`), and ast-grep's
 * binding compiles the expressions of a rule anew for each file. What takes any character but some (`.`, `[^x]`, `\W`) stays
 * in Unicode mode, since a byte is no character; an expression that names what is beyond ASCII is left as it is.
 */
export function toAsciiRegex(source: string): string {
  if (UNICODE.test(source) || source.startsWith(ASCII_MODE)) return source
  let out = ASCII_MODE
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!
    if (char === '\\') {
      const escaped = source[++at] ?? ''
      out += 'WSDB'.includes(escaped) && escaped !== '' ? `(?u:${NEGATED[escaped]})` : `\\${escaped}`
    } else if (char === '[') {
      const end = endOfClass(source, at)
      const whole = source.slice(at, end)
      out += /\[\^|\\[WSD]/.test(whole)
        ? `(?u:${whole.replace(/\\([WSDwsd])/g, (_, name: string) => CLASSES[name]!)})`
        : whole
      at = end - 1
    } else out += char === '.' ? '(?u:.)' : char
  }
  return out
}

const CLASSES: Record<string, string> = {
  w: '[0-9A-Za-z_]',
  W: '[^0-9A-Za-z_]',
  d: '[0-9]',
  D: '[^0-9]',
  s: '[\\t\\n\\x0B\\x0C\\r\\x20]',
  S: '[^\\t\\n\\x0B\\x0C\\r\\x20]',
}
const NEGATED: Record<string, string> = { ...CLASSES, B: '\\B' }

/** Behind the bracket that closes the class opened at `from`; classes nest in Rust. */
function endOfClass(source: string, from: number): number {
  let depth = 0
  for (let at = from; at < source.length; at++) {
    const char = source[at]
    if (char === '\\') at++
    else if (char === '[') {
      depth++
      // A bracket that closes may stand first, as itself.
      if (source[at + 1] === '^') at++
      if (source[at + 1] === ']') at++
    } else if (char === ']' && --depth === 0) return at + 1
  }
  return source.length
}

/** Inline flags under which a line break or a hash in an expression's text is no part of what it matches, or `^` is not the beginning. */
const OTHER_GRAMMAR = /\(\?[a-z]*[xm]/

/**
 * The expression told to begin at the text's beginning and to pass over what it will: it finds the same. Where it may
 * begin anywhere and has alternatives, Rust's regex prepares a search for the literals they begin with, which takes five times as long
 * as all else of compiling it, and ast-grep asks it of single nodes, which are short.
 */
export function anchorAtStart(source: string): string {
  if (!source.includes('|') || OTHER_GRAMMAR.test(source)) return source
  return `${PASSING_OVER}(?:${source})`
}

const PASSING_OVER = '\\A(?s:.)*?'

/** Before a dot or an opening parenthesis of code: what may end a name or a call, or an alternative's beginning. */
const BEHIND = /[\w)\]?*+}(|:"'`]$/
/** Behind a dot: what may begin a name. */
const AHEAD = /^(?:[A-Za-z()[{$]|\\[w$])/
/** Classes of what names joined by dots are made of. */
const NAMES = new Set(['[\\w.]', '[\\w$.]', '[\\w.$]'])
const QUANTIFIER = /^[?*+{]/

/**
 * A Rust regular expression that finds calls also where a line is broken or a space stands before or behind a dot or a
 * parenthesis, and with a comma behind the last argument.
 */
export function matchAcrossLines(source: string): string {
  let out = ''
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!
    if (char === '[') {
      const end = endOfClass(source, at)
      const names = source.slice(at, end)
      out += NAMES.has(names) && /^[*+]/.test(source.slice(end)) ? `(?:${names}|\\s*\\.\\s*)` : names
      at = end - 1
    } else if (char === '\\') {
      const written = source.slice(at, at + 2)
      const rest = source.slice(at + 2)
      at++
      const isBetween = /\\[wd]$|(?:^|[^\\]).$/s.test(source.slice(0, at - 1)) && BEHIND.test(source.slice(0, at - 1))
      if (QUANTIFIER.test(rest)) out += written
      else if (written === '\\)') out += '\\s*,?\\s*\\)'
      else if (written === '\\(' && isBetween) out += '\\s*\\(\\s*'
      else if (written === '\\.' && isBetween && AHEAD.test(rest)) out += '\\s*\\.\\s*'
      else out += written
    } else out += char
  }
  return out
}

/** The expression as one that compiles fast and finds the same in ASCII; one that is so already stays as it is. */
function fastRegex(source: string): string {
  return source.startsWith(PASSING_OVER) ? source : anchorAtStart(toAsciiRegex(source))
}

/** Every `regex` of an ast-grep rule object, however deep, by `fastRegex`; where `isFree` the layout is, by `matchAcrossLines` too. */
export function compileFastRegexes<T>(rule: T, isFree = false): T {
  if (Array.isArray(rule)) return rule.map(each => compileFastRegexes(each, isFree)) as T
  if (typeof rule !== 'object' || rule === null) return rule
  return Object.fromEntries(
    Object.entries(rule).map(([key, value]) => [
      key,
      key === 'regex' && typeof value === 'string'
        ? fastRegex(isFree ? matchAcrossLines(value) : value)
        : compileFastRegexes(value, isFree),
    ]),
  ) as T
}
