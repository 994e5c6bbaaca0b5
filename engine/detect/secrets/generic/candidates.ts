import type { GenericClass } from '../../../base/records/secret-detector.ts'
import { type Around, readSurroundings } from './around.ts'
import { isComment, isPair, openQuote, readLineBefore } from './beside.ts'
import { classifyGiven, readAnswered, readComparedAfter, readComparedBefore, readGiven, readPaired } from './calls.ts'
import { readInserted } from './columns.ts'
import { readCommands } from './commands.ts'
import { isSetting, trimEnding } from './embedded.ts'
import { readEntriesAt, readUsers } from './entries.ts'
import { readOption, readSent } from './handed.ts'
import { isQuote, type Link, readLink } from './link.ts'
import { classifyName, type NameSense } from './name.ts'
import { isInnerIv, isOfPublic, isSelector, isSign, MOST_NAME, type Name, readNameAround } from './name-at.ts'
import { readPepper } from './pepper.ts'
import { getWritingRules, type Writing } from './place.ts'
import { isEncodedName } from './public-value.ts'
import { readRobot } from './robot.ts'
import { readCells, readChap, readColumn, readRuled } from './rows.ts'
import { removeScheme, removeStorage } from './scheme.ts'
import { readByPosition } from './several.ts'
import { isNoValue } from './shape.ts'
import { PASSWORD, readSpecial } from './special.ts'
import { readSpoken } from './spoken.ts'
import { takesSecret } from './takes.ts'
import { isBehindUser, isBelowUser, isForUser, readStated } from './told.ts'
import type { Value } from './value.ts'
import { readValue } from './value-at.ts'
import { isAlone, isWorthwhile } from './worth.ts'

/** A value that may be a secret, with all that is known of where it stands. */
export interface Candidate extends Omit<Value, 'after'> {
  kind: GenericClass
  /** The name it stands under; empty where there is none. */
  name: string
  sense: NameSense
  link: Link
  writing: Writing
  /** The name stands within a quoted text, as in a connection string. */
  inText: boolean
  inComment: boolean
  /** It is a setting in a text of many lines within a program, as examples and documentation hold them. */
  embedded?: true
  around: Around
}

/** A candidate before what stands around it has been looked at. */
export type Bare = Omit<Candidate, 'around'>

/**
 * Everything in the text that stands where a secret would, near the anchors (offsets at which one begins, ascending). What is plainly
 * a reference, such as a bare word in code, is not among it; all else is judged later.
 */
export function candidatesOf(text: string, anchors: ArrayLike<number>, language: string): Candidate[] {
  const writing = getWritingRules(language)
  const out: Bare[] = []
  let past = 0
  for (let i = 0; i < anchors.length; i++) {
    const at = anchors[i]!
    if (at < past) continue
    // Of two anchors that overlap the first alone is known: ` login ` and `login with `.
    const place = readSpecial(text, at) ?? readSpoken(text, text.charCodeAt(at) === 0x20 ? at + 1 : at)
    if (place) {
      out.push({ ...place, writing, inText: false, inComment: false })
      past = place.link === 'header' ? place.end : past
      continue
    }
    if (isInnerIv(text, at) || isSign(text.charCodeAt(at))) continue
    const commands = readCommands(text, at).filter(found => !isNoValue(found.text, found.quote))
    if (commands.length > 0) {
      for (const found of commands) out.push({ ...found, writing, inText: false, inComment: false })
      // The program's own name may be one of a secret: `sshpass`.
      past = Math.min(...commands.map(({ start }) => start))
      continue
    }
    const users = readUsers(text, at).filter(({ value }) => !isNoValue(value.text, value.quote))
    if (users.length > 0) {
      for (const { value, key } of users) out.push(named(value, key, PASSWORD, 'pair', writing))
      past = users[0]!.value.start
      continue
    }
    // What a command's option begins with, or what a client says.
    if (text.charCodeAt(at) === 0x20) continue
    const name = readNameAround(text, at)
    past = name.end
    if (name.text.length > MOST_NAME || isEncodedName(name.text)) continue
    const given = readGiven(text, name.end)
    if (given) {
      const { value, link, kind } = given
      if (!isNoValue(value.text, value.quote)) out.push(named(value, name.text, classifyGiven(kind), link, writing))
      continue
    }
    const sense = classifyName(name.text)
    if (!sense) continue
    const entries = sense.kind === 'salt' ? [] : readEntriesAt(text, name.text, name.end)
    for (const { value, key } of entries)
      if (!isNoValue(value.text, value.quote))
        out.push(named(value, key, sense.kind === 'auth' ? PASSWORD : sense, 'pair', writing))
    if (entries.length > 0) continue
    const robot =
      language === 'text' && sense.strength >= 0.8 && sense.last && !sense.other ? readRobot(text, name) : undefined
    if (robot) {
      out.push(named(robot, name.text, sense, 'assign', writing))
      continue
    }
    const cells =
      sense.strength >= 0.8 && sense.last && !sense.other
        ? writing === 'prose'
          ? [readCells, readRuled, readChap].flatMap(rows => rows(text, name.start, name.end))
          : language === 'csv'
            ? readColumn(text, name.start, name.end)
            : []
        : []
    for (const value of cells)
      if (!isNoValue(value.text, '')) out.push(named(value, name.text, sense, 'table', writing))
    if (cells.length > 0) continue
    // A column of a table is no verb: `pass` says as much there as `password`.
    const isColumn = sense.strength >= 0.6 && sense.last && sense.kind !== 'salt'
    const inserted =
      isColumn && (sense.kind === 'password' || sense.strength >= 0.8) ? readInserted(text, name.start, name.end) : []
    const placed =
      inserted.length > 0 ? inserted : isColumn && !sense.other ? readByPosition(text, name, language) : undefined
    for (const value of placed ?? [])
      if (!isNoValue(value.text, value.quote))
        out.push(named(value, name.text, { ...sense, strength: 1 }, 'pair', writing))
    if (placed) continue
    const found = candidateAt(text, name, sense, writing)
    if (found && (isWorthwhile(found) || isAlone(text, found))) out.push(found)
  }
  return distinct(out).map(found => ({
    ...found,
    around: readSurroundings(text, found.start, found.end, found.quote, found.text),
  }))
}

/** What stands before a name that a row of a table is about: a word or two at most, where a sentence says something else. */
const HEAD_OF_ROW = /(?:^|\|)[ \t]*[`*_]{0,2}(?:[\w-]+[ \t]+){0,2}$/
/** What Ruby's settings and forms are given by a symbol: `set :password, '…'`. */
const SYMBOL = /\b(?:set|fill_in)[ (]:$/

/** A quote before the sign of a selector: `'#password'`, `".pw"`. */
const SELECTOR = /(["'`])[#.]$/

/** Up to the kind of a resource: what follows is the resource's name, `arn:aws:secretsmanager:us-east-1:123:secret:db`. */
const RESOURCE = /\barn:aws[\w-]{0,12}:[a-z-]{1,30}:[\w-]{0,20}:\d{0,12}:$/

function candidateAt(text: string, name: Name, sense: NameSense, own: Writing): Bare | undefined {
  if (text[name.start - 1] === ':' && RESOURCE.test(text.slice(Math.max(0, name.start - 90), name.start)))
    return undefined
  if (isOfPublic(text, name, sense) || isSelector(text, name)) return undefined
  const sign = text[name.start - 1] ?? ''
  const embedded = own === 'code' && sense.last && !sense.other && isSetting(text, name)
  const writing = embedded ? 'config' : own
  const dashes = name.flag ? /["'`]-{1,2}$/.exec(text.slice(Math.max(0, name.start - 3), name.start)) : null
  const selector =
    sign === '#' || sign === '.' ? SELECTOR.exec(text.slice(Math.max(0, name.start - 3), name.start)) : null
  const before = dashes?.[0][0] ?? selector?.[1] ?? sign
  const symbol =
    sign === ':' && text[name.end] === ',' && SYMBOL.test(text.slice(Math.max(0, name.start - 12), name.start))
  const quoted = symbol || (isQuote(before) && (text[name.end] === before || text[name.end] === '\\'))
  const sent = name.text === 'PASS' ? readSent(text, name.start, name.end) : undefined
  if (sent) return named(sent, name.text, { ...sense, strength: 1 }, 'login', writing)
  const constant = isQuote(text[name.end]) ? undefined : readOption(text, name.start, name.end, name.text)
  if (constant) return named(constant, name.text, sense, 'pair', writing)
  const tie = readLink(
    text,
    name.start,
    name.end,
    quoted,
    writing === 'code' || writing === 'markup' || writing === 'shell',
  )
  const told = writing === 'prose' && /credentials?$/i.test(name.text) ? readStated(text, name.end) : undefined
  if (told) return named(told, name.text, classifyGiven('password'), 'login', writing)
  const expected =
    quoted || sense.strength < 0.8 || VERDICT.test(name.text)
      ? undefined
      : (readComparedBefore(text, name.start, name.end) ?? readComparedAfter(text, name.start, name.end))
  if (expected) return named(expected, name.text, sense, 'compare', writing)
  const pepper = sense.kind === 'password' && sense.last ? readPepper(text, name.start) : undefined
  if (pepper) return named(pepper, 'pepper', classifyGiven('salt'), 'login', writing)
  const answered = sense.kind === 'password' && sense.last ? readAnswered(text, name.end) : undefined
  if (answered) return named(answered, name.text, { ...sense, strength: 1 }, 'login', writing)
  if (!tie) return undefined
  let { link } = tie
  const line = readLineBefore(text, name.start)
  // Of the kinds that a type knows, one: `PassphraseSecret SecretType = "…"`.
  if (
    link === 'assign' &&
    tie.at - name.end < 60 &&
    /[a-z](?:Type|Kind|Mode|Method)\s{0,8}=/.test(text.slice(name.end, tie.at))
  )
    return undefined
  // A call without parentheses, as Ruby writes it.
  if (
    link === 'space' &&
    writing !== 'config' &&
    isQuote(text[tie.at]) &&
    /\w\.$/.test(name.text.slice(0, name.text.lastIndexOf('.') + 1))
  )
    link = 'call'
  if (link === 'space' && (isForUser(line) || isBelowUser(text, name.start, line))) link = 'login'
  if (link === 'table' && (sense.strength < 0.8 || writing !== 'prose' || !HEAD_OF_ROW.test(line))) return undefined
  if (name.flag && !dashes && (link === 'assign' || link === 'space' || link === 'argument')) link = 'flag'
  if (link === 'assign' && /[?&]/.test(before) && text[name.end] === '=') link = 'query'
  const inComment = isComment(line)
  // The text around the name may end before the value begins: `'[name=password]').type('…')`.
  const isPast = link === 'call' && /["'`]\)/.test(text.slice(name.end, tie.at))
  const open = quoted || isPast ? '' : openQuote(line)
  const inText = open !== ''
  if (link === 'call' && !takesSecret(name.text, sense)) return undefined
  // The name is that of a login as a whole: what follows may be user and password.
  const isWhole =
    (link === 'assign' || link === 'colon' || link === 'arrow') && (sense.kind === 'auth' || /cred/i.test(name.text))
  const paired = isWhole ? readPaired(text, tie.at) : undefined
  const value =
    paired ?? readValue(text, tie.at, link, { writing, open, inComment, isPlural: isPlural(name.text), line })
  if (!value) return undefined
  // A shell gives nothing to a name behind the sign that asks for it.
  if (value.quote === '' && writing === 'shell' && link === 'assign' && sign === '$' && inComment) return undefined
  // A bare word before a parenthesis is a call.
  if (value.quote === '' && text[value.end] === '(' && /^\w+$/.test(value.text)) return undefined
  const { after: _, ...headless } = removeScheme(embedded ? trimEnding(value) : value)
  const headed = headless.start > value.start
  const kept = removeStorage(headless)
  if (
    link === 'argument' &&
    !dashes &&
    !symbol &&
    !(headed && sense.kind === 'auth') &&
    !isPair(text, name.start - 2, value.after) &&
    !OPTION.test(line)
  )
    return undefined
  if (kept.end <= kept.start) return undefined
  // Two fields that are to hold the same: `compare('password', 'password2')`.
  if (link === 'argument' && kept.text.startsWith(name.text.replace(/\d$/, ''))) return undefined
  const behindUser = isBehindUser(line)
  const isLogin = (sense.kind === 'auth' && kept.quote !== '') || isWhole || behindUser
  const login =
    isLogin && !headed
      ? (behindUser ? /^[A-Za-z][\w.@-]{1,40}[:/]([^\s:/<>{}$%*]{3,60})$/ : LOGIN).exec(kept.text)
      : null
  if (login) Object.assign(kept, { start: kept.end - login[1]!.length, text: login[1] })
  const isTuple = paired !== undefined && sense.last && !sense.other && /^\s*\(/.test(text.slice(tie.at, value.start))
  const meant: NameSense = login || isTuple ? classifyGiven('password') : sense
  return {
    ...kept,
    kind: meant.kind,
    name: name.text,
    sense: meant,
    link: headed ? 'header' : link,
    writing,
    inText,
    inComment,
    ...(embedded ? { embedded } : {}),
  }
}

/** Whether a name is one of several: `release_keys`, but no `pass`. */
function isPlural(name: string): boolean {
  return 'sS'.includes(name.at(-1)!) && !'sS'.includes(name.at(-2) ?? 's')
}

/** What a check says, and a program compares with: `XDP_PASS`. */
const VERDICT = /^[A-Z][A-Z0-9_]*_PASS$/

/** A value that a name stands for where neither is within a text or a comment. */
function named(value: Value, name: string, sense: NameSense, link: Link, writing: Writing): Bare {
  const { after: _, ...kept } = value
  return { ...kept, kind: sense.kind, name, sense, link, writing, inText: false, inComment: false }
}

/** A user with the password behind a colon. */
const LOGIN = /^[A-Za-z][\w.@-]{1,40}:([^\s:/<>{}$%*]{3,60})$/

/** A call by which a program names an option and says what it is without being given. */
const OPTION =
  /(?:[fF]lag\w{0,10}|[fF]lags\(\)|pflag)\.String\w{0,4}\([^"']{0,40}["']$|(?:\.|\b)(?:type|fill|setValue|fill_in)\(?\s?["'].{0,40}$/

/** One candidate a place: the longest that begins there, under the name that says most. */
function distinct(candidates: readonly Bare[]): Bare[] {
  const out: Bare[] = []
  let past = -1
  for (const candidate of [...candidates].sort(
    (a, b) => a.start - b.start || b.end - a.end || b.sense.strength - a.sense.strength,
  )) {
    if (candidate.start < past) continue
    out.push(candidate)
    past = candidate.end
  }
  return out
}
