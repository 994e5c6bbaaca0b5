import { Positions } from '../../base/text/positions.ts'
import { lex } from '../../detect/lexer/lexer.ts'

export const TAG_FORMS = ['svc', 'openfasttrace', 'strictdoc', 'spdx', 'gherkin'] as const
export type TagForm = (typeof TAG_FORMS)[number]

/** A name of a requirement in a source file. */
export interface Tag {
  /** As it is written, without punctuation behind it. */
  id: string
  form: TagForm
  /** What the tag itself says; `implements` where it says nothing. */
  role: 'implements' | 'tests'
  /** Nothing in the tag says the role: in a test file it tests. */
  isRoleOpen: boolean
  /** It is about the whole file, whatever is near it. */
  isFile: boolean
  /** Offset of the id in the text. */
  offset: number
  /** From 1. */
  line: number
  column: number
  /** Lines of the comment that it stands in, from 1, both included. */
  first: number
  last: number
}

/** One of these is in every file that can have a tag. */
const MARKS = ['@req', '@verifies', '@relation', 'SPDX-Req-ID', '->'].map(text => Buffer.from(text))
const TILDE = 0x7e

/** Whether a file may have tags by its bytes; far cheaper than the search. */
export function mayHaveTags(bytes: Uint8Array, language: string | null): boolean {
  if (language === 'gherkin') return bytes.includes(0x40)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return MARKS.some((mark, index) => buffer.includes(mark) && (index < 4 || buffer.includes(TILDE)))
}

/** More ids in one list are data and no tag. */
const MOST_IDS = 50
const ID = '[A-Za-z0-9_][\\w.:~/#+-]{0,199}'
const IDS = `${ID}(?:[ \\t]{0,8},[ \\t]{0,8}${ID}){0,${MOST_IDS - 1}}`

/** `@req REQ-1, REQ-2` and `@verifies REQ-1`. */
const OWN = new RegExp(`(?<![\\w@\`/.])@(req|verifies)(?::[ \\t]{0,8}|[ \\t]{1,8})(${IDS})`, 'g')
/** `[impl->req~x~1]`, with a name and revision of its own and a list of what it needs in turn (OpenFastTrace's user guide). */
const OFT =
  /(?<!`)\[([A-Za-z]{1,40})(?:~[\w.-]{0,100}~\d{1,9})?->([A-Za-z]{1,40}~[\p{L}\d_.-]{1,150}~\d{1,9})(?:>>[\w, ]{0,200})?\]/gu
/** `@relation(REQ-1, REQ-2, scope=function, role=Test)` (StrictDoc's user guide). */
const STRICTDOC = /(?<![\w`])@relation[ \t]{0,4}[({]([^(){}]{1,2000})[)}]/g
const SPDX = /(?<!`)SPDX-Req-ID:[ \t]{0,8}([A-Za-z0-9_][\w.:~/#+-]{0,199})/g

/**
 * Finds the tags of a text: in comments of any language that svc knows the comments of, in Python's documentation strings, and in the tag lines of
 * Gherkin. A tag behind a backtick is quoted and none. Linear in the text.
 */
export function findTags(language: string, text: string): Tag[] {
  const positions = new Positions(text)
  if (language === 'gherkin') return [...findGherkinTags(text), ...findInSpans(language, text, positions)]
  return findInSpans(language, text, positions)
}

function findInSpans(language: string, text: string, positions: Positions): Tag[] {
  const found: Tag[] = []
  for (const { start, end, context } of lex(language, text).spans()) {
    if (context === 'string' && !(language === 'python' && isDocumentation(text, start))) continue
    const part = text.slice(start, end)
    const put = (id: string, at: number, rest: Pick<Tag, 'form' | 'role' | 'isRoleOpen' | 'isFile'>) => {
      const offset = start + at
      const { line, column } = positions.at(offset)
      const [first, last] = [positions.at(start).line, positions.at(Math.max(start, end - 1)).line]
      found.push({ ...{ id: trimId(id), ...rest, offset, line, column }, first, last })
    }
    if (part.includes('@')) {
      for (const { 0: all, 1: word, 2: ids, index } of part.matchAll(OWN)) {
        const role = word === 'verifies' ? 'tests' : 'implements'
        putList(ids!, index + all.length - ids!.length, (id, at) =>
          put(id, at, { form: 'svc', role, isRoleOpen: role === 'implements', isFile: false }),
        )
      }
      for (const { 0: all, 1: inner, index } of part.matchAll(STRICTDOC))
        readRelation(inner!, index + all.indexOf(inner!), put)
    }
    if (part.includes('->'))
      for (const { 0: all, 1: kind, 2: id, index } of part.matchAll(OFT)) {
        const role = /test/i.test(kind!) ? 'tests' : 'implements'
        put(id!, index + all.indexOf(id!), { form: 'openfasttrace', role, isRoleOpen: false, isFile: false })
      }
    if (part.includes('SPDX-Req-ID'))
      for (const { 0: all, 1: id, index } of part.matchAll(SPDX))
        put(id!, index + all.length - id!.length, { form: 'spdx', role: 'implements', isRoleOpen: true, isFile: false })
  }
  return found.sort((a, b) => a.offset - b.offset)
}

type Put = (id: string, at: number, rest: Pick<Tag, 'form' | 'role' | 'isRoleOpen' | 'isFile'>) => void

function readRelation(inner: string, start: number, put: Put): void {
  const parts = inner.split(',')
  const settings = new Map(
    parts.flatMap(part => {
      const [key, value] = part.split('=', 2)
      return value === undefined ? [] : [[key!.trim().toLowerCase(), value.trim().toLowerCase()] as const]
    }),
  )
  const role = settings.get('role')
  const isTest = role !== undefined && /test|verif/.test(role)
  const rest = {
    form: 'strictdoc' as const,
    role: isTest ? ('tests' as const) : ('implements' as const),
    isRoleOpen: role === undefined,
    isFile: settings.get('scope') === 'file',
  }
  let at = start
  for (const part of parts.slice(0, MOST_IDS)) {
    const id = part.trim()
    if (id !== '' && !part.includes('=')) put(id, at + part.indexOf(id), rest)
    at += part.length + 1
  }
}

function putList(ids: string, start: number, put: (id: string, at: number) => void): void {
  let at = start
  for (const part of ids.split(',')) {
    const id = part.trim()
    put(id, at + part.indexOf(id))
    at += part.length + 1
  }
}

/** A documentation string of Python: three quotes, first on its line. */
function isDocumentation(text: string, start: number): boolean {
  if (!/^(?:[rRuU]{0,2})(?:"""|''')/.test(text.slice(start, start + 5))) return false
  let at = start - 1
  while (at >= 0 && (text[at] === ' ' || text[at] === '\t')) at--
  return at < 0 || text[at] === '\n'
}

/** `@REQ-1 @smoke`: any tag may be an id; `@req:REQ-1` and `@verifies:REQ-1` say that it is one. */
function findGherkinTags(text: string): Tag[] {
  const found: Tag[] = []
  let line = 0
  let start = 0
  for (const whole of text.split('\n')) {
    line++
    if (/^\s*@/.test(whole.slice(0, 1000)))
      for (const { 1: mark = '', 2: id, index, 0: all } of whole
        .slice(0, 10_000)
        .matchAll(/@(req:|verifies:)?([\w.:~/#+-]{1,200})/g)) {
        const column = index + all.length - id!.length + 1
        const form = mark === '' ? ('gherkin' as const) : ('svc' as const)
        const rest = { form, role: 'tests' as const, isRoleOpen: false, isFile: false }
        found.push({ id: trimId(id!), ...rest, offset: start + column - 1, line, column, first: line, last: line })
      }
    start += whole.length + 1
  }
  return found
}

/** A sentence's end is none of an id. */
function trimId(id: string): string {
  return id.replace(/[.:,;/+#-]{1,10}$/, '')
}
