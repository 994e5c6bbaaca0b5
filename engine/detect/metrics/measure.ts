import type { CodeMetrics } from '../../base/records/file-metrics.ts'
import { countReadLines, readSpans } from '../lines/count.ts'

/** UTF-8's byte order mark. */
const MARK = [0xef, 0xbb, 0xbf]

/**
 * Measures a file of a language by its bytes, in UTF-8 or another encoding in which ASCII stands for itself: lines of code, comment and blank
 * ones, functions and their complexity. What is not known of the language is null. The work is linear in the bytes.
 */
export function measureText(language: string, bytes: Uint8Array): CodeMetrics {
  const own = MARK.every((byte, index) => bytes[index] === byte) ? bytes.subarray(MARK.length) : bytes
  // A character for each byte: places in the text are places in the bytes, and no text of a wider kind is made, which is slower to read.
  const text = Buffer.from(own.buffer, own.byteOffset, own.length).toString('latin1')
  const { code, comment, blank } = countReadLines(text, readSpans(language, text))
  return {
    code_lines: code,
    comment_lines: comment,
    blank_lines: blank,
    functions: null,
    longest_function: null,
    max_nesting: null,
    cyclomatic: null,
    max_cyclomatic: null,
    cognitive: null,
    max_cognitive: null,
    max_parameters: null,
  }
}
