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

const CLOSING = /\\?["'`]?[ \t]{0,4}\]?[ \t]{0,40}/y
/** Arguments by name that stand between an option's name and what it is without being given: `default="…"`. */
const BETWEEN = String.raw`(?:,\s{0,40}[\w]{1,20}\s?=\s?[^,()\n]{1,60}){0,4}`
const FORMS: readonly [link: Link, form: RegExp, quotedNameOnly?: boolean][] = [
  ['arrow', /=>[ \t]{0,40}/y],
  ['arrow', /<-[ \t]{0,10}/y],
  ['arrow', /(?:\|\||\?\?|\?:|or )[ \t]{0,10}(?=["'`])/y],
  ['compare', /(?:={2,3}|!={1,2}|=~|-eq|eq|\.equals\(|\.equalsIgnoreCase\(|\.isEqualTo\()[ \t]{0,20}/y],
  ['assign', /:[ \t]{0,4}(?:&'?|\*)?[A-Za-z_][\w.<>[\]?|&' ]{0,60}?[ \t]{0,4}=(?![=>~])[ \t]{0,40}/y],
  ['assign', /\[[^\]\n]{0,20}\][ \t]{0,4}=(?![=>~])[ \t]{0,40}\{?[ \t]{0,4}/y],
  ['assign', /[Aa]s [A-Z]\w{1,20} = /y],
  ['assign', /(?::=|\?=|\|\|=|\+=|=)[ \t]{0,60}/y],
  ['assign', /(?:const |mut )?\*?[A-Za-z_][\w.]{0,40}(?:\[\])?[ \t]{1,10}=(?![=>~])[ \t]{0,40}/y],
  ['colon', /(?:\*\*)?:(?!:)(?:\*\*)?[ \t]{0,60}/y],
  ['table', /\|[ \t]{1,40}/y],
  ['pair', /[ \t]{0,4}\{[^{}]{0,300}?\bdefault\s{0,20}=\s{0,4}/y, true],
  ['pair', new RegExp(`${BETWEEN},\\s{0,40}(?:default|fallback|with)\\s?[=:]\\s?`, 'y'), true],
  ['pair', /,?\s{0,80}["']?(?:value|Value|VALUE|default|defaultValue|content)["']?[ \t]{0,4}[:=][ \t]{0,4}/y],
  [
    'argument',
    /["'`\])]{0,4}[ \t]{0,4}(?:,|\){1,3}\.(?:sendKeys|send_keys|type|fill|setValue|val)\()[ \t]{0,4}/y,
    true,
  ],
  ['call', /(?:::(?:new|from))?\([ \t]{0,40}/y],
  [
    'attribute',
    /(?:[ \t\r\n]{1,40}[\w:.-]{1,30}="[^"<>\n]{0,80}"){0,3}[ \t\r\n]{1,60}(?:value|content|default|val)[ \t]?=[ \t]?/y,
    true,
  ],
]
const ELEMENT = /(?:[ \t\r\n][^<>]{0,200})?>\s{0,40}(?=[^<>]{1,800}<\/)/y
const NEXT_ELEMENT =
  /<\/(?:key|name|Name|Key|param-name|string)>\s{0,80}<(?:string|value|Value|param-value|data)>\s{0,40}/y
const NAMED_ELEMENT = /["'](?:[ \t]{1,4}[\w:.-]{1,30}="[^"<>\n]{0,80}"){0,3}[ \t]{0,4}>\s{0,40}(?:<value>\s{0,20})?/y
const SPACE = /[ \t]{1,40}(?:is[ \t]{1,4})?/y

/** Where a value for the name may stand; undefined where nothing ties anything to it. `quoted` says that the name stands in quotes. */
export function tieAfter(text: string, nameStart: number, nameEnd: number, quoted: boolean): Tie | undefined {
  if (text[nameEnd] === '>' || text[nameEnd] === ' ' || text[nameEnd] === '<') {
    if (text[nameStart - 1] === '<') {
      ELEMENT.lastIndex = nameEnd
      if (ELEMENT.test(text) && text[ELEMENT.lastIndex - 2] !== '/') return { link: 'element', at: ELEMENT.lastIndex }
    }
    NEXT_ELEMENT.lastIndex = nameEnd
    if (NEXT_ELEMENT.test(text)) return { link: 'element', at: NEXT_ELEMENT.lastIndex }
  }
  if (quoted) {
    NAMED_ELEMENT.lastIndex = nameEnd
    if (NAMED_ELEMENT.test(text)) return { link: 'element', at: NAMED_ELEMENT.lastIndex }
  }
  CLOSING.lastIndex = nameEnd
  CLOSING.test(text)
  const at = CLOSING.lastIndex
  for (const [link, form, quotedOnly] of FORMS) {
    if (quotedOnly && !quoted) continue
    form.lastIndex = at
    if (form.test(text)) return { link, at: form.lastIndex }
  }
  SPACE.lastIndex = nameEnd
  return !quoted && SPACE.test(text) ? { link: 'space', at: SPACE.lastIndex } : undefined
}
