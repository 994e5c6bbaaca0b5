import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import type { Draft, PackFormat } from '../../sources/packs/import/draft.ts'
import { importText } from '../../sources/packs/import/report-text.ts'
import { FormatType, ImportReportType } from '../../sources/packs/import-schema.ts'

/** Takes a pack over into `.svc/packs`; it is checked as a built-in pack is, and nothing is written where anything is wrong. */
export default defineOperation({
  id: 'packs.import',
  summary:
    'Import a pack: svc format, ast-grep rule files, Semgrep search rules or CodeQL models with an exact equivalent.',
  effect: 'write',
  action: 'manage_packs',
  weakens: ({ overwrite }) => overwrite,
  cli: 'import-pack <file>',
  rest: 'POST /api/packs/import',
  mcp: null,
  yaml_field: 'yaml',
  short: { format: 'f' },
  input: type({
    'file?': type('string > 0').describe('a pack file, a directory, or - for standard input'),
    'yaml?': type('string').describe('the content of a pack file, instead of a file'),
    'format?': FormatType,
    'id?': type('string > 0').describe('an id for the pack (default: its own id or its file name)'),
    overwrite: type('boolean').describe('true to replace an existing pack with this id').default(false),
    enable: type('boolean').describe('true to enable the pack as well').default(false),
    '+': 'reject',
  }),
  output: ImportReportType,
  examples: [
    ['svc import-pack acme.yaml --enable', 'import a pack and turn it on'],
    ['svc import-pack rules/ --id acme-style', 'import a directory of ast-grep rules with their tests as examples'],
    ['svc export-pack acme | svc import-pack - --overwrite', 'import from standard input'],
  ],

  check: async (input, context) => {
    // What standard input has can be read once.
    if (input.file === '-') return
    const { checkImport } = await import('../../sources/packs/import/run.ts')
    await checkImport(await readDraft(input, context), input, context)
  },

  async run(input, context) {
    const { importDraft } = await import('../../sources/packs/import/run.ts')
    return importDraft(await readDraft(input, context), input, context)
  },

  text: (report, view) => importText(report, view),
})

interface Given {
  file?: string
  yaml?: string
  format?: PackFormat
  id?: string
}

/** The draft that the input holds. INPUT_INVALID, NOT_FOUND or PACK_INVALID where it holds none. */
async function readDraft({ file, yaml, format, id }: Given, context: Context): Promise<Draft> {
  if ((file === undefined) === (yaml === undefined))
    throw new EngineError(
      'INPUT_INVALID',
      file === undefined ? 'yaml is missing: the content of a pack.' : 'file and yaml exclude each other.',
    )
  if (file !== undefined && context.surface !== 'cli')
    throw new EngineError('INPUT_INVALID', 'file is for the command line; send the content as yaml.')
  const { readSource, parseSource } = await import('../../sources/packs/import/source.ts')
  const { makeDraft } = await import('../../sources/packs/import/import.ts')
  const source = file === undefined ? parseSource(yaml!, 'yaml') : await readSource(file, context)
  return makeDraft(source, { ...(id !== undefined && { id }), ...(format !== undefined && { format }) })
}
