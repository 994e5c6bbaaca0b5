import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser/lib/esm/main.js'
import { ManifestFault } from '../parsed.ts'

/** The value of JSON with comments and commas before closing brackets. Throws ManifestFault with the line. */
export function readJsonc(text: string): unknown {
  const errors: ParseError[] = []
  const value = parse(text, errors, { allowTrailingComma: true }) as unknown
  const [first] = errors
  if (first === undefined) return value
  const line = text.slice(0, first.offset).split('\n').length
  throw new ManifestFault(`invalid JSON: ${printParseErrorCode(first.error)}`, line)
}
