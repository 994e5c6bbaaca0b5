/** A value as it stands in a text: the span from its first to its last character, and what it says once put together. */
export interface Value {
  start: number
  end: number
  text: string
  /** The quote around it, empty for a bare word. */
  quote: string
  /** It stands in a call: `Buffer.from("…")`, `"…".getBytes()`. */
  wrapped: boolean
  /** It is written as a list of bytes or characters. */
  listed?: true
  /** Where what follows begins. */
  after: number
}

/** No secret is longer; a longer text is a document. */
const LONGEST = 5000

const OPENING =
  /[ \t]{0,40}(?:<<)?[bBrRuULfFcC@$&]{0,2}("""|'''|\\?"|\\?'|``(?=[^\s,;)`])|`|&quot;|&#34;|&#39;|@"|#"|q\{)/y
/** What the forms begin with: few are tried, since an expression is compiled when it is first tried. */
const OPENING_BEGINS = ' \t<bBrRuULfFcC@$&"\'\\`#q'
const NEXT_LINE_BEGINS = ' \t\\(\r\n'
const NEXT_LINE = /[ \t]{0,40}(?:\\|\()?[ \t]{0,40}\r?\n[ \t]{0,120}(?=[bBrRuULfF]?["'`])/y
const JOINED =
  /[ \t]{0,20}(?:(?:[+.&]|\.\.|<>|\+\+)[ \t]{0,20}(?:\\?\r?\n[ \t]{0,120})?|\\?\r?\n[ \t]{0,120}(?:[+.&]|\.\.)?[ \t]{0,20})[bBrRuUL]?(["'])/y
const CALL =
  /(?:new[ \t]{1,4})?(?:&|\*)?((?:\[\]byte|\[\]rune|[A-Za-z_$][\w$]{0,60}(?:(?:\.|::)[A-Za-z_$][\w$]{0,60}){0,5}!?))[ \t]{0,4}(?:<[\w, .]{0,40}>)?\([ \t]{0,40}(?:\r?\n[ \t]{0,120})?/y
/** Calls that give back what they are given, in another form. */
const KEEPS =
  /(?:^|[._:])(?:\[\]byte|\[\]rune|b|str|string|String|bytes?|(?:[gG]et)?Bytes|bytearray|[bB]uffer|from\w{0,30}|From\w{0,30}|of|[dD]ecode\w{0,30}|[eE]ncode\w{0,30}|[uU]nhexlify|a2b_hex|atob|btoa|unquote|unescape|hex2bin|pack|[bB]64\w{0,10}|[bB]ase64\w{0,20}|hex|[hH]ash\w{0,10}|[mM]d5|[sS]ha\d{0,3}\w{0,10}|[bB]crypt\w{0,10}|[eE]ncrypt\w{0,20}|[dD]ecrypt\w{0,20}|[sS]ecret\w{0,40}|[pP]assword\w{0,40}|[kK]ey\w{0,20}|[tT]oken\w{0,30}|[cC]redential\w{0,30}|[sS]ecure\w{0,20}|[pP]rotected\w{0,20}|Some|Just|to_\w{1,20}|to[A-Z]\w{1,20}|_T|T|L|TEXT|utf8|strdup|xstrdup|g_strdup|make_shared\w{0,20}|IvParameterSpec|\w{0,20}KeySpec|CString\w{0,10}|Literal|literal|pulumi\.secret|trim|strip|freeze|noescape|quote)$/

/** A quoted value at `at`, line ends before it skipped, its parts joined; undefined where none stands there. */
export function readQuoted(text: string, at: number): Value | undefined {
  let from = at
  if (NEXT_LINE_BEGINS.includes(text[at] ?? '!')) {
    NEXT_LINE.lastIndex = at
    if (NEXT_LINE.test(text)) from = NEXT_LINE.lastIndex
  }
  const first = oneQuoted(text, from)
  if (!first) return undefined
  const value: Value = first
  for (let parts = 0; parts < 200; parts++) {
    JOINED.lastIndex = value.after
    const joined = JOINED.exec(text)
    if (!joined || joined[1] !== value.quote) break
    const next = oneQuoted(text, JOINED.lastIndex - 1)
    // A name before a colon begins the next entry, not the next part.
    if (!next || /^\s{0,4}(?:=>|[:=])/.test(text.slice(next.after, next.after + 8))) break
    value.text += next.text
    value.end = next.end
    value.after = next.after
  }
  return value
}

/** A quoted value within calls that keep it (`new String("…".getBytes())`); undefined where another call stands there, or none. */
export function readWrapped(text: string, at: number): Value | undefined {
  let from = at
  for (let depth = 0; depth < 4; depth++) {
    while (text[from] === ' ' || text[from] === '\t') from++
    CALL.lastIndex = from
    const call = CALL.exec(text)
    if (!call || !KEEPS.test(call[1]!)) return undefined
    from = CALL.lastIndex
    const value = readQuoted(text, from)
    if (value) return { ...value, wrapped: true }
  }
  return undefined
}

function oneQuoted(text: string, at: number): Value | undefined {
  if (!OPENING_BEGINS.includes(text[at] ?? '!')) return undefined
  OPENING.lastIndex = at
  const opening = OPENING.exec(text)
  if (!opening) return undefined
  let quote = opening[1]!
  if (quote === '@"' || quote === '#"') quote = '"'
  if (quote === 'q{') quote = '}'
  const start = OPENING.lastIndex
  const most = Math.min(text.length, start + LONGEST)
  const many = quote.length === 3 || quote === '`'
  for (let i = start; i < most; i++) {
    const char = text[i]!
    if (char === '\n' && !many) return undefined
    if (char === '\\' && quote.length === 1) {
      i++
      // A line continued within the quotes.
      if (text[i] === '\r') i++
      continue
    }
    if (char === quote[0] && (quote.length === 1 || text.startsWith(quote, i))) {
      return {
        start,
        end: i,
        text: unescapeValue(text.slice(start, i)),
        quote: quote.replace('\\', ''),
        wrapped: false,
        after: i + quote.length,
      }
    }
  }
  return undefined
}

/** The text with the escapes that all languages share read, and line continuations and NULs taken out. */
export function unescapeValue(raw: string): string {
  if (!raw.includes('\\')) return raw
  return raw.replace(
    /\\(?:\r?\n[ \t]*|0{2,3}|u\{?([0-9A-Fa-f]{4})\}?|x([0-9A-Fa-f]{2})|([\s\S]))/g,
    (_, wide: string, narrow: string, char: string) => {
      const code = wide ?? narrow
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
      return char === undefined ? '' : char === 'n' ? '\n' : char === 't' ? '\t' : char === 'r' ? '\r' : char
    },
  )
}

/** What the forms take at least before a token goes on. */
const LONGEST_BARE = 400
const BARE: Record<'word' | 'shell' | 'query' | 'line' | 'element' | 'inner', RegExp> = {
  /** Up to white space or what closes something. */
  word: /[^\s"'`<>,;(){}[\]|]{1,400}/y,
  shell: /[^\s"'`<>;()|&]{1,400}/y,
  query: /[^\s"'`<>&#;,(){}\\]{1,400}/y,
  line: /[^\r\n]{1,400}/y,
  element: /[^<>]{1,800}/y,
  /** Within a quoted text: up to what ends the entry. */
  inner: /[^\s"'`<>;,&(){}\\]{1,400}/y,
}

/** How a token goes on that is longer than most values are: a JWT, base64. */
const TOKEN_REST = /[A-Za-z0-9+/_.~-]{0,2600}={0,2}/y

/** Where the token ends that stands there up to `end` at least. */
export function findTokenEnd(text: string, end: number): number {
  TOKEN_REST.lastIndex = end
  TOKEN_REST.test(text)
  return TOKEN_REST.lastIndex
}

/** A bare word at `at`; undefined where none stands there. */
export function readBare(text: string, at: number, kind: keyof typeof BARE): Value | undefined {
  const form = BARE[kind]
  form.lastIndex = at
  const found = form.exec(text)
  if (!found) return undefined
  const raw = found[0].length < LONGEST_BARE ? found[0] : text.slice(at, findTokenEnd(text, form.lastIndex))
  const lead = /^\s*/.exec(raw)![0].length
  let value = raw.trim()
  if (kind === 'line') value = value.replace(/\s+[#;].*$|\s*,$/, '')
  if (kind === 'word') value = value.replace(/[.:!?]+$/, '')
  if (value === '') return undefined
  const start = at + lead
  return { start, end: start + value.length, text: value, quote: '', wrapped: false, after: at + raw.length }
}
