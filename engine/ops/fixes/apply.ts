import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { openText } from '../../fixes/encoded-text.ts'
import { ProjectFile } from '../../fixes/project-file.ts'
import { replaceLines } from '../../fixes/replace-lines.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'

const LINE = type('1 <= number.integer <= 2147483647')

/** One fix that a person or an assistant has chosen (spec "POST /api/apply-fix"). */
export default defineOperation({
  id: 'fixes.apply',
  summary: 'Replace lines of one file with fixed code.',
  effect: 'write',
  action: 'auto_fix_high',
  paths: ({ file_path }) => [file_path],
  cli: null,
  rest: 'POST /api/apply-fix',
  mcp: null,
  input: type({
    file_path: type('0 < string <= 4096').describe('a path from the project root'),
    'original_code?': type('string').describe(
      'the code expected on the lines, compared without white space (default: no comparison)',
    ),
    fixed_code: type('string').describe('the code that replaces the lines; empty to remove them'),
    start_line: LINE.describe('the first line to replace, from 1'),
    end_line: LINE.describe('the last line to replace, from start_line'),
    '+': 'reject',
  }),
  output: type({
    file_path: 'string',
    applied: type('boolean').describe('whether the file was changed; false if it already contained the code'),
    start_line: 'number.integer',
    end_line: type('number.integer').describe(
      'the last line of the fixed code; before start_line if lines were removed',
    ),
    lines_removed: 'number.integer',
    lines_added: 'number.integer',
  }),

  run({ file_path, start_line, end_line, ...fix }, { cwd }) {
    if (fix.fixed_code.includes('\0'))
      throw new EngineError('INPUT_INVALID', 'fixed_code must be text, but contains a NUL.')
    const file = new ProjectFile(findRepositoryRoot(cwd), file_path, { links: true })
    try {
      const content = openText(file.bytes)
      if (!content) throw unwritable(file_path)
      const splice = replaceLines(content.text, { ...fix, start_line, end_line })
      const bytes = content.canHold(splice.text) ? content.splice([splice]) : undefined
      if (!bytes) throw unwritable(file_path)
      const applied = !Buffer.from(bytes).equals(file.bytes)
      if (applied) file.replace(bytes)
      return {
        file_path,
        applied,
        start_line,
        end_line: start_line + splice.lines - 1,
        lines_removed: end_line - start_line + 1,
        lines_added: splice.lines,
      }
    } finally {
      file.close()
    }
  },

  text: ({ file_path, applied, start_line }) =>
    applied ? `Fixed ${file_path} from line ${start_line}.` : `${file_path} already has the code.`,
})

function unwritable(path: string): EngineError {
  return new EngineError(
    'INPUT_INVALID',
    `The fixed code cannot be written in the encoding of ${JSON.stringify(path)}.`,
  )
}
