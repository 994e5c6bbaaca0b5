import { randomBytes } from 'node:crypto'
import { splitValue } from './pages.ts'
import { BYTES_PER_TOKEN, MAX_ANSWER_TOKENS, measure, splitText } from './size.ts'

/** Bytes that the protocol's own fields of an answer, the note and the link to the next page may take. */
const ROOM_FOR_REST = 1000
/** Bytes for text and structured content of one answer. */
export const ANSWER_BYTES = MAX_ANSWER_TOKENS * BYTES_PER_TOKEN - ROOM_FOR_REST
/** Of these, what the text takes at most where there are several pages. */
const TEXT_BYTES = 4500
/** Bytes of the fields that a page's structured content has besides the answer's. */
const PAGE_FIELDS = 120
/** Answers that are kept for their further pages, and bytes of them; the oldest go first. */
const MOST_RESULTS = 64
const MOST_BYTES = 64 * 1024 * 1024

/** One page of an answer. */
export interface Page {
  /** Counted from 1. */
  number: number
  pages: number
  tool: string
  /** What names the next page, absent on the last. */
  next?: string
  text: string
  structured: Record<string, unknown>
}

/** An answer that is kept, as a list of resources shows it. */
export interface KeptResult {
  id: string
  tool: string
  pages: number
}

interface Result extends KeptResult {
  owner: string
  bytes: number
  texts: string[]
  structured: string[]
}

/** Answers too long for one message, in pages, until they are forgotten. */
export interface Results {
  /** The answer's only page, or its first. */
  page(tool: string, owner: string, text: string, output: Record<string, unknown>): Page
  /** The page that a cursor names (`<id>.<number>`), for the owner it was made for; undefined where there is none, or no longer. */
  find(cursor: string, owner: string): Page | undefined
  /** The kept answers of the owner, oldest first. */
  list(owner: string): KeptResult[]
}

/** Keeps long answers in memory: a server that ends takes them along. */
export function createResults(): Results {
  const kept = new Map<string, Result>()
  let held = 0

  function keep(result: Result): void {
    kept.set(result.id, result)
    held += result.bytes
    for (const [id, { bytes }] of kept) {
      if (id === result.id || (kept.size <= MOST_RESULTS && held <= MOST_BYTES)) return
      kept.delete(id)
      held -= bytes
    }
  }

  return {
    page(tool, owner, text, output) {
      const textBytes = measure(text)
      if (textBytes + measure(output) <= ANSWER_BYTES) return { number: 1, pages: 1, tool, text, structured: output }
      const room = ANSWER_BYTES - Math.min(textBytes, TEXT_BYTES) - PAGE_FIELDS
      const structured = splitValue(output, room).map(part => JSON.stringify(part))
      const texts = splitText(text, TEXT_BYTES)
      const bytes = [...structured, ...texts].reduce((sum, part) => sum + part.length * 2, 0)
      const pages = Math.max(structured.length, texts.length)
      // Nobody can guess it: who has it was given the answer.
      const id = randomBytes(12).toString('base64url')
      const result = { id, tool, owner, pages, bytes, texts, structured }
      keep(result)
      return pageOf(result, 1)
    },
    find(cursor, owner) {
      const [, id = '', number = ''] = /^([\w-]{16})\.([1-9]\d{0,5})$/.exec(cursor) ?? []
      const result = kept.get(id)
      return result?.owner === owner && Number(number) <= result.pages ? pageOf(result, Number(number)) : undefined
    },
    list: owner =>
      [...kept.values()].filter(one => one.owner === owner).map(({ id, tool, pages }) => ({ id, tool, pages })),
  }
}

function pageOf({ id, tool, pages, texts, structured }: Result, number: number): Page {
  const part = structured[number - 1]
  const next = number < pages ? `${id}.${number + 1}` : undefined
  return {
    number,
    pages,
    tool,
    next,
    text: texts[number - 1] ?? '',
    structured: {
      ...(part === undefined ? {} : (JSON.parse(part) as Record<string, unknown>)),
      page: number,
      pages,
      ...(next !== undefined && { next_cursor: next }),
    },
  }
}
