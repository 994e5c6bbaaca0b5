/** How a value is tied to its name. */
export const LINKS = [
  'assign',
  'colon',
  'arrow',
  'compare',
  'call',
  'pair',
  'argument',
  'element',
  'attribute',
  'flag',
  'space',
  'query',
  'url',
  'header',
  'command',
  'login',
  'table',
] as const
export type Link = (typeof LINKS)[number]

/** What stands between a name and its value. */
export interface Tie {
  link: Link
  /** Where the value may begin. */
  at: number
}

/** Arguments by name that stand between an option's name and what it is without being given: `default="…"`. */
const BETWEEN = String.raw`(?:,\s{0,40}[\w]{1,20}\s?=\s?[^,()\n]{1,60}){0,4}`
/**
 * A way of tying, the characters of which one begins it, those of which one comes next (any, where there are none), and where alone it
 * counts: few are tried at a place, since each expression is compiled when it is first tried, in the middle of somebody's commit.
 */
type Form = readonly [link: Link, begins: string, next: string, form: RegExp, where?: 'quoted name' | 'code']

const WORD = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'
const FORMS: readonly Form[] = [
  ['arrow', '=', '>', /=>[ \t]{0,40}/y],
  ['arrow', '<', '-', /<-[ \t]{0,10}/y],
  // Scala's and Kotlin's pairs.
  ['arrow', '-t', '>o', /(?:->|to)[ \t]{1,10}(?=["'])/y, 'quoted name'],
  ['arrow', '|?o', '|?:r', /(?:\|\||\?[?:]|or )[ \t]{0,10}(?=["'`])/y],
  ['arrow', '(', '', /\([^()\n]{0,40}\)[ \t]{0,4}(?:\|\||\?\?|\?:|or )[ \t]{0,10}(?=["'`])/y],
  ['arrow', ')', ' \t|?o', /\)[ \t]{0,4}(?:\|\||\?\?|\?:|or )[ \t]{0,10}(?=["'`])/y],
  [
    'compare',
    '=!-e.',
    '=~eqi',
    /(?:={2,3}|!={1,2}|=~|-eq|eq|\.equals\(|\.equalsIgnoreCase\(|\.isEqualTo\()[ \t]{0,20}/y,
  ],
  ['compare', ')', '.', /\)\.(?:to(?:\.\w{1,10}){0,3}|to[A-Z]\w{1,16})[ (](?:(?:eq|eql|equal|be)[ (])?[ \t]{0,4}/y],
  [
    'assign',
    ':',
    '',
    /:(?![ \t]{0,4}(?:Basic|Bearer|Token|Digest) )[ \t]{0,4}(?:&'?|\*)?\[?[A-Za-z_][\w.<>[\]?|&'; ]{0,60}?[ \t]{0,4}=(?![=>~])[ \t]{0,40}/y,
    'code',
  ],
  ['assign', '[', '', /\[[^\]\n]{0,20}\][ \t]{0,4}=(?![=>~])[ \t]{0,40}\{?[ \t]{0,4}/y],
  ['assign', '{', '', /\{\s{0,4}get;[^{}\n]{0,30}\}\s{0,4}=\s{0,10}/y],
  ['assign', '{', `"'`, /\{(?=["'][^"'\n]{1,200}["']\})/y, 'code'],
  // What a shell takes where a variable is empty: `${PASSWORD:-…}`.
  ['assign', ':', '-', /:-(?=[^\s}$"'])/y],
  ['assign', 'Aa', '', /[Aa]s [A-Z]\w{1,20} = /y],
  ['assign', '=', '', /=[ \t]{0,60}/y],
  ['assign', ':?|+', '=|', /(?::=|\?=|\|\|=|\+=)[ \t]{0,60}/y],
  ['assign', `*${WORD}`, '', /(?:const |mut )?\*?[A-Za-z_][\w.]{0,40}(?:\[\])?[ \t]{1,10}=(?![=>~])[ \t]{0,40}/y],
  ['colon', '*:', '', /(?:\*\*)?:(?!:)(?:\*\*)?[ \t]{0,60}(?:!(?:!str|!binary|unsafe)[ \t]{1,4})?/y],
  // COBOL's `PIC X(8) VALUE "…"`.
  [
    'assign',
    'Pp',
    'Ii',
    /pic(?:ture)?\s{1,4}(?:is\s{1,4})?[xa9]{1,40}(?:\(\d{1,4}\))?\s{1,20}value\s{1,4}(?:is\s{1,4})?(?=["'])/iy,
  ],
  ['table', '|', '', /\|[ \t]{1,40}/y],
  // RSpec's `let(:password) { '…' }`.
  ['assign', ')', ' \t{', /\)[ \t]{0,4}\{[ \t]{1,4}(?=["'][^"'\n]{1,100}["'] ?\})/y, 'code'],
  // The end of a selector and what is typed there: `[name=password]').type('…')`.
  [
    'call',
    `"'\``,
    ')',
    /["'`]\){1,3}\.(?:first\(\)\.|clear\(\)\.)?(?:sendKeys|send_keys|type|fill|setValue|val)\([ \t]{0,4}(?=["'`])/y,
  ],
  // A step of a scenario: `fill in "password" with "…"`.
  ['call', 'w', 'i', /with[ \t]{1,4}(?=["'])/y, 'quoted name'],
  ['pair', '{', '', /\{[^{}]{0,300}?\bdefault\s{0,20}=\s{0,4}/y, 'quoted name'],
  ['pair', ',', '', new RegExp(`${BETWEEN},\\s{0,40}(?:default|fallback|with)\\s?[=:]\\s?`, 'y'), 'quoted name'],
  [
    'call',
    ')',
    ').',
    /\){1,3}\.(?:first\(\)\.|clear\(\)\.)?(?:type|fill|setValue|val)\([ \t]{0,4}(?=["'`])/y,
    'quoted name',
  ],
  [
    'pair',
    ',\n\r"\'vVdc',
    '',
    /,?\s{0,80}["']?(?:value|Value|VALUE|default|defaultValue|content)["']?[ \t]{0,4}[:=][ \t]{0,4}/y,
  ],
  [
    'argument',
    '"\'`]),',
    '',
    /["'`\])]{0,4}[ \t]{0,4}(?:,|\){1,3}\.(?:sendKeys|send_keys|type|fill|setValue|val)\()[ \t]{0,4}/y,
    'quoted name',
  ],
  // LDIF's sign for what is in base64.
  ['colon', ':', ':', /::[ \t]{1,4}(?=[A-Za-z0-9+/]{6,200}={0,2}(?:\r?\n|$))/y],
  ['call', ':(', '', /(?:::(?:new|from))?\([ \t]{0,40}/y],
  [
    'attribute',
    '\n\r',
    '',
    /(?:[ \t\r\n]{1,40}[\w:.-]{1,30}="[^"<>\n]{0,80}"){0,3}[ \t\r\n]{1,60}(?:value|content|default|val)[ \t]?=[ \t]?/y,
    'quoted name',
  ],
]
const ELEMENT = /(?:[ \t\r\n][^<>]{0,200})?>\s{0,40}(?:<!\[CDATA\[\s{0,40})?(?=[^<>]{1,800}(?:>\s{0,40})?<\/)/y
/** How a sentence says what a password is: `is …`, `for the user bob is …`. */
const SAID = /(?:(?:for|of)[ \t](?:[\w.@'"`*-]{1,30}[ \t]){1,4})?is[ \t]{1,4}/y
const NEXT_ELEMENT =
  /<\/(?:key|name|Name|Key|param-name|string)>\s{0,80}<(?:string|value|Value|param-value|data)>\s{0,40}|:?<\/(?:td|th|dt)>\s{0,80}<(?:td|dd)>\s{0,10}(?:<(?:code|tt|b)>)?(?=[^\s<>]{1,80}\s{0,10}<\/)/y
/** The value of a field in a form, its other attributes in between: `type="password" name="pw" value="…"`. */
const FIELD =
  /["'](?:[ \t\r\n]{1,40}(?!value\b)[\w:.-]{1,30}="[^"<>\n]{0,80}"){0,4}[ \t\r\n]{1,60}value[ \t]?=[ \t]?(?=["'])/y
const NAMED_ELEMENT = /["'](?:[ \t]{1,4}[\w:.-]{1,30}="[^"<>\n]{0,80}"){0,3}[ \t]{0,4}>\s{0,40}(?:<value>\s{0,20})?/y
/** The attributes that say how an element looks or what it belongs to, and not what it is. */
const STYLE = /\b(?:class|className|style|for|href|src|rel)=["'][\w -]{0,60}$/
/** The second of two, as in Erlang's `{password, "…"}` and Lisp's `(password . "…")`. */
const TUPLE =
  /[ \t]{0,4}(?:,|[ \t]\.[ \t])[ \t]{0,10}(?=(?:<<)?["'])(?=[^"'\n]{0,4}["'][^"'\n]{1,100}["'](?:>>)?[ \t]{0,4}[})])/y
/** A call that is given a key or a store, and behind it the name of what it is to look up there: `getNumber(rootKey, "port")`. */
const LOOKS_UP = /\b(?:reg_?)?(?:get|read|query|find|open|look_?up|has|load|fetch)\w{0,30}\($/i

/**
 * Where a value for the name may stand; undefined where nothing ties anything to it. `quoted` says that the name stands in quotes,
 * `isCode` that it may have a type behind a colon.
 */
export function readLink(
  text: string,
  nameStart: number,
  nameEnd: number,
  quoted: boolean,
  isCode: boolean,
): Tie | undefined {
  if (text[nameEnd] === '>' || text[nameEnd] === ' ' || text[nameEnd] === '<' || text.startsWith(':<', nameEnd)) {
    // An element's name may be one of a space of names: `<wsse:Password Type="…">`.
    const before = text[nameStart - 1]
    if (
      before === '<' ||
      (before === ':' && /<[\w-]{1,20}:$/.test(text.slice(Math.max(0, nameStart - 22), nameStart)))
    ) {
      ELEMENT.lastIndex = nameEnd
      if (ELEMENT.test(text) && text[ELEMENT.lastIndex - 2] !== '/') return { link: 'element', at: ELEMENT.lastIndex }
    }
    NEXT_ELEMENT.lastIndex = nameEnd
    if ((text[nameEnd] === '<' || text[nameEnd] === ':') && NEXT_ELEMENT.test(text))
      return { link: 'element', at: NEXT_ELEMENT.lastIndex }
  }
  // A field's other attributes, or its element's end, follow the quote at once.
  if (quoted && ' \t\r\n>'.includes(text[nameEnd + 1] ?? '!')) {
    // Both begin with the quote that closes the name, and go on with white space, or with the end of a tag.
    const following = text[nameEnd + 1] ?? ''
    FIELD.lastIndex = nameEnd
    if (' \t\r\n'.includes(following) && FIELD.test(text)) return { link: 'attribute', at: FIELD.lastIndex }
    NAMED_ELEMENT.lastIndex = nameEnd
    if (
      ' \t>'.includes(following) &&
      NAMED_ELEMENT.test(text) &&
      !STYLE.test(text.slice(Math.max(0, nameStart - 80), nameStart))
    )
      return { link: 'element', at: NAMED_ELEMENT.lastIndex }
  }
  const at = pastClosing(text, nameEnd)
  const first = text[at] ?? ''
  const second = text[at + 1] ?? '\0'
  // Taking every form apart before it is known to be meant would be most of what a hook does here.
  for (const way of first === '' ? [] : FORMS) {
    if (!way[1].includes(first) || (way[2] !== '' && !way[2].includes(second))) continue
    const [link, , , form, where] = way
    if ((where === 'quoted name' && !quoted) || (where === 'code' && !isCode)) continue
    form.lastIndex = at
    if (form.test(text)) return { link, at: form.lastIndex }
  }
  TUPLE.lastIndex = nameEnd
  if (
    !quoted &&
    /[{(]/.test(text[nameStart - 1] ?? '') &&
    TUPLE.test(text) &&
    !LOOKS_UP.test(text.slice(Math.max(0, nameStart - 40), nameStart))
  )
    return { link: 'pair', at: TUPLE.lastIndex }
  const behind = quoted ? nameEnd : pastBlanks(text, nameEnd, 40)
  if (behind === nameEnd) return undefined
  SAID.lastIndex = behind
  return { link: 'space', at: 'fio'.includes(text[behind] ?? '!') && SAID.test(text) ? SAID.lastIndex : behind }
}

/** Where the blanks end that begin at `from`, `most` of them at most. */
function pastBlanks(text: string, from: number, most: number): number {
  let at = from
  while (at < from + most && (text[at] === ' ' || text[at] === '\t')) at++
  return at
}

/** Behind what closes a name: a quote and a bracket, with blanks between them. */
function pastClosing(text: string, from: number): number {
  let at = from
  if (text[at] === '\\') at++
  if (isQuote(text[at])) at++
  at = pastBlanks(text, at, 4)
  if (text[at] === ']' || text[at] === '}') at++
  return pastBlanks(text, at, 40)
}

/** Whether a text begins there, or ends. */
export function isQuote(char: string | undefined): boolean {
  return char === '"' || char === "'" || char === '`'
}
