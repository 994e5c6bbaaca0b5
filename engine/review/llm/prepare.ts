import { compileExcludes } from '../../sources/repository/exclude.ts'
import { type Fenced, fence } from './fence.ts'
import { findInstructions, type Instruction } from './instructions.ts'
import { maskSecrets } from './mask.ts'

/** Characters of a file that are sent; of more only the beginning, and it is said. */
const MOST_FILE = 60_000
/** Characters of one request. */
const MOST_REQUEST = 150_000

/** A file as it is sent. */
export interface SentFile extends Fenced {
  path: string
  /** Its lines as they were sent: secrets masked. */
  lines: string[]
}

/** What is sent of some files, and what is not. */
export interface Prepared {
  batches: SentFile[][]
  unsent: { path: string; reason: string }[]
  instructions: (Instruction & { path: string })[]
  masked: number
}

/** Prepares files for sending: excluded ones left out, secrets masked, invisible characters shown, sizes limited. Instructions in them are found. */
export function prepareFiles(files: readonly { path: string; text: string }[], exclude: readonly string[]): Prepared {
  const excluded = compileExcludes(exclude, 'llm.exclude')
  const prepared: Prepared = { batches: [], unsent: [], instructions: [], masked: 0 }
  let batch: SentFile[] = []
  let size = 0
  for (const { path, text } of files) {
    if (excluded(path)) {
      prepared.unsent.push({ path, reason: 'llm.exclude names it' })
      continue
    }
    for (const instruction of findInstructions(text)) prepared.instructions.push({ path, ...instruction })
    const masked = maskSecrets(path, text)
    if (masked === undefined) {
      prepared.unsent.push({ path, reason: 'its secrets could not be masked for certain' })
      continue
    }
    prepared.masked += masked.secrets
    const cut = masked.text.slice(0, MOST_FILE)
    if (cut.length < masked.text.length)
      prepared.unsent.push({ path, reason: `only its first ${MOST_FILE} characters were sent` })
    const fenced = fence(path, cut)
    if (size > 0 && size + fenced.text.length > MOST_REQUEST) {
      prepared.batches.push(batch)
      batch = []
      size = 0
    }
    batch.push({ path, lines: cut.split('\n'), ...fenced })
    size += fenced.text.length
  }
  if (batch.length > 0) prepared.batches.push(batch)
  return prepared
}

/** So far from the named line a quoted one may stand. */
const NEAR = 8

/**
 * The line (from 1) of a quotation in a sent file: near the line that a model names, or the only one with that text. Undefined where it
 * does not exist: then the answer speaks of nothing.
 */
export function verifyQuote({ lines }: Pick<SentFile, 'lines'>, line: number, quote: string): number | undefined {
  const wanted = fold(quote)
  if (wanted.length < 3) return undefined
  const places = lines.flatMap((text, index) => (fold(text).includes(wanted) ? [index + 1] : []))
  if (places.length === 1) return places[0]
  const near = places
    .filter(place => Math.abs(place - line) <= NEAR)
    .sort((a, b) => Math.abs(a - line) - Math.abs(b - line))
  return near[0]
}

function fold(text: string): string {
  return text
    .replace(/^\s*\d+\|/, '')
    .replace(/\s+/g, ' ')
    .trim()
}
