import { EngineError } from '../base/errors.ts'
import { foldSpace } from '../base/records/fingerprint.ts'
import type { Splice } from './encoded-text.ts'
import { detectLineEnd } from './plan.ts'

/** Whole lines of a text to replace, as POST /api/apply-fix names them (spec "Endpoints"). */
export interface LineFix {
  /** From 1, both included. */
  start_line: number
  end_line: number
  /** The new lines; nothing takes the old ones out. A line end behind the last is no line of its own. */
  fixed_code: string
  /** What is expected there, white space aside; nothing is compared where it is left out or blank. */
  original_code?: string
}

/**
 * The replacement of whole lines, in the line ends of the text. INPUT_INVALID where there are no such lines, CONFLICT where
 * other code stands there than was expected.
 */
export function replaceLines(text: string, fix: LineFix): Splice & { lines: number } {
  const { start_line, end_line, fixed_code, original_code } = fix
  const starts = lineStarts(text)
  if (start_line > end_line) {
    throw new EngineError('INPUT_INVALID', `start_line must not lie behind end_line, but ${start_line} > ${end_line}.`)
  }
  if (end_line > starts.length) {
    const has = starts.length === 1 ? '1 line' : `${starts.length} lines`
    throw new EngineError('INPUT_INVALID', `end_line is ${end_line}, but the file has ${has}.`)
  }
  const start = starts[start_line - 1]!
  const next = starts[end_line] ?? text.length
  const end = start + text.slice(start, next).replace(/\r?\n$/, '').length
  const wanted = foldSpace(original_code ?? '')
  if (wanted !== '' && foldSpace(text.slice(start, end)) !== wanted) {
    const where = start_line === end_line ? `Line ${start_line} is` : `Lines ${start_line} to ${end_line} are`
    throw new EngineError('CONFLICT', `${where} not the code that was expected: the file has changed.`, {
      hint: 'Scan the file again and send its present lines.',
    })
  }
  if (fixed_code === '') return { start, end: next, text: '', lines: 0 }
  const lines = fixed_code.replace(/\r?\n$/, '').split(/\r?\n/)
  return { start, end, text: lines.join(detectLineEnd(text, start)), lines: lines.length }
}

/** Offsets at which lines begin; what follows the last line end is a line only where there is something. */
function lineStarts(text: string): number[] {
  const starts = text === '' ? [] : [0]
  for (let at = text.indexOf('\n'); at !== -1 && at + 1 < text.length; at = text.indexOf('\n', at + 1))
    starts.push(at + 1)
  return starts
}
