import { resolve } from 'node:path'
import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import { readNamedSettings } from '../../base/disk/settings-file.ts'
import { EngineError } from '../../base/errors.ts'
import { detectLanguageOfText } from '../../base/languages/languages.ts'
import { isBrokenOff } from '../../base/records/run.ts'
import { defineOperation } from '../../door/operation.ts'
import { formatFindings } from '../../scan/findings-text.ts'
import { selectApplicable } from '../../sdk/applicable.ts'
import { ContextType, Frameworks } from '../../sdk/applicable-schema.ts'
import { makeContext } from '../../sdk/brief.ts'
import { checkCode, leavesUnknown } from '../../sdk/check.ts'
import { CheckedType } from '../../sdk/check-schema.ts'
import { toEntry } from '../../sources/config/excluded.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'

/** The largest file that is checked by itself. */
const MAX_CODE_BYTES = 64 << 20

/** A check for editors and agents on the command line: of a file, of code given, or of standard input. */
export default defineOperation({
  id: 'sdk.inline',
  summary: 'Scan one file or a code snippet; exit 1 on a finding or an unknown result.',
  effect: 'read',
  action: 'run_scan',
  cli: 'check-inline',
  rest: null,
  mcp: null,
  short: { file: 'f', code: 'c' },
  input: type({
    'file?': type('string > 0').describe('a file to scan; with --code or --stdin, the intended path of the code'),
    'code?': type('string').describe('source code to scan'),
    stdin: type('boolean').describe('true to scan standard input').default(false),
    'context?': type('string > 0').describe('a path whose applicable rules and frameworks to print as JSON'),
    'frameworks?': Frameworks,
    '+': 'reject',
  }),
  output: CheckedType.partial().and({ filename: 'string', 'context?': ContextType }),
  examples: [
    ['svc check-inline --file src/app.py', 'check a file on disk'],
    ['svc check-inline --stdin --file src/app.py < draft.py', 'check an edited version of it'],
    ["svc check-inline --code 'eval(req.query.x)' --file a.js", 'check a line of code'],
    ['svc check-inline --context src/app.py', 'list the rules and zones that apply to the file'],
  ],

  async run({ file, code, stdin, context: asked, frameworks }, context) {
    if (asked !== undefined) {
      if (file !== undefined || code !== undefined || stdin)
        throw new EngineError('USAGE', '--context excludes the other options: it checks nothing.')
      const applicable = await selectApplicable(asked, frameworks, context)
      return { filename: applicable.filename, context: makeContext(applicable) }
    }
    const filename = file === undefined ? 'snippet.txt' : toEntry(findRepositoryRoot(context.cwd), context.cwd, file)
    const text = await codeOf({ file, code, stdin }, context)
    if (file === undefined) context.notice('The language is unknown without --file: only rules for any text apply.')
    else if (detectLanguageOfText(filename, text.split('\n', 1)[0]!) === null)
      context.notice(`The language of ${filename} is unknown: only rules for any text apply.`)
    const isSnippet = code !== undefined || stdin
    return { filename, ...(await checkCode({ code: text, filename, isSnippet, frameworks }, context)) }
  },

  text: ({ filename, context, findings = [], not_evaluated = [], unsearched = [], unknown_origins = [] }) => {
    if (context) return JSON.stringify(context, null, 1)
    return `${findings.length === 0 ? `${filename}: ` : ''}${formatFindings(findings, not_evaluated, unsearched, unknown_origins)}`
  },

  exit: ({ findings = [], not_evaluated = [], unsearched = [], unknown_origins = [] }) => {
    const isUnknown =
      unsearched.some(leavesUnknown) ||
      unknown_origins.some(({ severity }) => severity === 'critical') ||
      not_evaluated.some(({ reason }) => isBrokenOff(reason))
    return isUnknown || findings.some(({ status }) => status === 'open') ? 1 : 0
  },
})

/** The code that was meant. USAGE where none or more than one was. */
async function codeOf(
  { file, code, stdin }: { file?: string; code?: string; stdin: boolean },
  { cwd, readStdin }: Context,
): Promise<string> {
  if (code !== undefined && stdin) throw new EngineError('USAGE', '--code and --stdin exclude each other.')
  if (code !== undefined) return code
  if (stdin) {
    if (!readStdin) throw new EngineError('USAGE', 'Standard input is not available.')
    return readStdin()
  }
  if (file === undefined)
    throw new EngineError('USAGE', 'Nothing to check.', { hint: 'Pass --file, --code or --stdin.' })
  const content = readNamedSettings(resolve(cwd, file), file, { most: MAX_CODE_BYTES, code: 'INPUT_INVALID' })
  if (!content) throw new EngineError('NOT_FOUND', `There is no file ${file}.`)
  return content.toString('utf8')
}
