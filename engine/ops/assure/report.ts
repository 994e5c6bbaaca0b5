import { dirname, join, relative } from 'node:path'
import { type } from 'arktype'
import { FORMAT_FILES, FORMATS, joinPieces, renderReport, writePieces } from '../../assure/report.ts'
import { loadStoredModel } from '../../assure/stored.ts'
import { isFolder, resolveOutputFile } from '../../base/disk/output-file.ts'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { makeOut } from '../../sources/store/layout.ts'
import { resolveOutputDirectory } from '../../sources/store/output-directory.ts'

/** A report of a stored run: written to a file on the command line, answered as text elsewhere. */
export default defineOperation({
  id: 'assure.report',
  summary: 'Render a stored run as HTML, SARIF, JUnit XML, CSV, Markdown, GitLab code quality or JSON.',
  effect: 'write',
  action: 'read_findings',

  cli: 'report',
  rest: 'POST /report',
  mcp: null,
  short: { format: 'f', output: 'o', run_id: 'r' },
  examples: [
    ['svc report', 'write out/report.html from the latest run'],
    ['svc report --format sarif -o results.sarif', 'write SARIF for code scanning'],
    ['svc report --format gitlab -o gl-code-quality-report.json', 'write a GitLab code quality report'],
    ['svc report --format markdown -o - >> "$GITHUB_STEP_SUMMARY"', 'print Markdown for a job summary'],
  ],

  input: type({
    format: type
      .enumerated(...FORMATS)
      .configure({ description: 'html, sarif, junit, csv, markdown, gitlab or json' }, 'self')
      .default('html'),
    run_id: type('string > 0').describe('a run id, its prefix, or latest').default('latest'),
    'output?': type('string > 0').describe(
      'an output file, or - for standard output (default: out/report.<format>, or out/report-<id>.<format> for a named run)',
    ),
    '+': 'reject',
  }),

  output: type({
    format: type.enumerated(...FORMATS),
    run_id: 'string',
    /** The report, where it was not written to a file. */
    'content?': 'string',
    /** The file that was written, as a person here would name it. */
    'output?': 'string',
    'bytes?': 'number.integer >= 0',
  }),

  async run({ format, run_id, output }, { cwd, surface, env, notice }) {
    if (surface !== 'cli' && output !== undefined && output !== '-') {
      throw new EngineError('FORBIDDEN', 'A file to write can be named on the command line only.', {
        hint: 'Omit output: the answer contains the report in content.',
      })
    }
    const named = output === undefined || output === '-' ? undefined : resolveOutputFile(cwd, output)
    if (named !== undefined && !isFolder(dirname(named)))
      throw new EngineError('NOT_FOUND', `The directory ${dirname(output!)} for ${output} does not exist.`)
    const root = findRepositoryRoot(cwd)
    const out = await resolveOutputDirectory({ cwd, env })
    const model = await loadStoredModel(root, out, run_id, { env, notice })
    const pieces = renderReport(format, model)
    const { id } = model.run
    if (surface !== 'cli' || output === '-') return { format, run_id: id, content: joinPieces(pieces) }
    const { extension } = FORMAT_FILES[format]
    if (output === undefined) makeOut(out)
    const path = named ?? join(out, `report${run_id === 'latest' ? '' : `-${id}`}.${extension}`)
    const bytes = writePieces(path, pieces)
    return { format, run_id: id, output: relative(cwd, path) || path, bytes }
  },

  text: ({ content, output, run_id }, { quiet }) => content ?? (quiet ? '' : `Wrote ${output} from run ${run_id}.`),
})
