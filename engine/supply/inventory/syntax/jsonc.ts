import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser/lib/esm/main.js'
import { ManifestFault } from '../parsed.ts'

/** The value of JSON with comments and commas before closing brackets. Throws ManifestFault with the line. */
export function readJsonc(text: string): unknown {
  const errors: ParseError[] = []
  let value: unknown
  try {
    value = parse(text, errors, { allowTrailingComma: true })
  } catch (error) {
    if (error instanceof RangeError) throw new ManifestFault('JSON is nested too deeply')
    throw error
  }
  const [first] = errors
  if (first === undefined) return value
  const line = text.slice(0, first.offset).split('\n').length
  throw new ManifestFault(`invalid JSON: ${printParseErrorCode(first.error)}`, line)
}
