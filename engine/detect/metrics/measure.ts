import type { CodeMetrics } from '../../base/records/file-metrics.ts'
import { countReadLines, readSpans } from '../lines/count.ts'
import { measureFunctions } from './functions.ts'
import type { FunctionMetrics } from './tally.ts'

/** UTF-8's byte order mark. */
const MARK = [0xef, 0xbb, 0xbf]

/**
 * Measures a file of a language by its bytes, in UTF-8 or another encoding in which ASCII stands for itself: lines of code, comment and blank
 * ones, functions and their complexity. What is not known of the language is null. The work is linear in the bytes.
 */
export function measureText(language: string, bytes: Uint8Array): CodeMetrics {
  return measure(language, bytes, false).metrics
}

/** The same, and each of the functions. */
export function measureWithFunctions(
  language: string,
  bytes: Uint8Array,
): { metrics: CodeMetrics; functions: NamedFunction[] } {
  const { metrics, listed, own } = measure(language, bytes, true)
  const decoder = new TextDecoder()
  const functions = listed.map(({ name_start, name_end, ...counts }) => ({
    name: decoder.decode(own.subarray(name_start, name_end)),
    ...counts,
  }))
  return { metrics, functions }
}

/** A function of a file; its name is empty where it has none. */
export type NamedFunction = Omit<FunctionMetrics, 'name_start' | 'name_end'> & { name: string }

function measure(
  language: string,
  bytes: Uint8Array,
  lists: boolean,
): { metrics: CodeMetrics; listed: readonly FunctionMetrics[]; own: Uint8Array } {
  const own = MARK.every((byte, index) => bytes[index] === byte) ? bytes.subarray(MARK.length) : bytes
  // A character for each byte: places in the text are places in the bytes, and no text of a wider kind is made, which is slower to read.
  const text = Buffer.from(own.buffer, own.byteOffset, own.length).toString('latin1')
  const spans = readSpans(language, text)
  const { code, comment, blank } = countReadLines(text, spans)
  const tally = measureFunctions(language, own, spans, lists)
  const metrics = {
    code_lines: code,
    comment_lines: comment,
    blank_lines: blank,
    functions: tally?.functions ?? null,
    longest_function: tally?.longest ?? null,
    max_nesting: tally?.nesting ?? null,
    cyclomatic: tally?.cyclomatic ?? null,
    max_cyclomatic: tally?.highestCyclomatic ?? null,
    cognitive: tally?.cognitive ?? null,
    max_cognitive: tally?.highestCognitive ?? null,
    max_parameters: tally?.parameters ?? null,
  }
  return { metrics, listed: tally?.listed ?? [], own }
}
