import { basename } from 'node:path'
import { EngineError, type Fault, toEngineError } from '../engine/base/errors.ts'

/** The media type of an error answer. */
export const PROBLEM_TYPE = 'application/problem+json'

/** A problem document (RFC 9457) with exactly these members. */
export interface Problem {
  type: string
  title: string
  status: number
  /** What happened this time and what to do next; free of the server's own paths, stacks and versions. */
  detail: string
  /** The row of the errors table. */
  code: string
}

/** How many faults of one input are spelled out, each on a line of its own. */
const FAULTS_SHOWN = 10

/** The problem document of an error; `hide` takes the server's folders out of the detail. */
export function toProblem(error: EngineError, hide: (text: string) => string = text => text): Problem {
  const { status, title } = error.row
  return { type: `urn:svc:error:${error.code}`, title, status, detail: detailOf(error, hide), code: error.code }
}

function detailOf(error: EngineError, hide: (text: string) => string): string {
  if (error.code === 'INTERNAL') return "Internal error; see the server's log."
  const faults = error.faults.length > 1 ? error.faults.slice(0, FAULTS_SHOWN).map(sentence) : [sentence(error)]
  const more = error.faults.length - FAULTS_SHOWN
  if (more > 0) faults.push(`And ${more} more.`)
  const text = hide([...faults, error.hint].join(faults.length > 1 ? '\n' : ' '))
  return error.row.status >= 500
    ? text.replace(/(?<=^|[\s'"`(])\/(?:[^\s'"`/]+\/)+[^\s'"`/]*/g, path => basename(path))
    : text
}

function sentence({ message, place }: Fault | EngineError): string {
  return place && !message.includes(place.file) && !place.file.startsWith('/')
    ? `${place.file}${place.line ? `, line ${place.line}` : ''}: ${message}`
    : message
}

/** Replaces each of the server's folders, the longest first, by the word that may be shown for it. */
export function makePathHider(folders: Readonly<Record<string, string>>): (text: string) => string {
  const known = Object.entries(folders)
    .filter(([folder]) => folder.length > 1)
    .sort(([a], [b]) => b.length - a.length)
  return text => known.reduce((shown, [folder, word]) => shown.replaceAll(folder, word), text)
}

/** Any error of a request as the table's: what the HTTP layer raises gets its row, the rest is the engine's. */
export function toRequestError(error: unknown): EngineError {
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new EngineError('BODY_TOO_LARGE', 'The request body is larger than the limit of this server.', {
      cause: error,
    })
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new EngineError('MEDIA_TYPE', 'The body is not declared as JSON.', { cause: error })
  }
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY' || (error instanceof SyntaxError && statusCode === 400)) {
    return new EngineError('BAD_REQUEST', 'The body is not valid JSON.', { cause: error })
  }
  if (typeof code === 'string' && code.startsWith('FST_ERR_') && statusCode === 400) {
    return new EngineError('BAD_REQUEST', 'The address or a header of the request is not well-formed.', {
      cause: error,
    })
  }
  return toEngineError(error)
}
