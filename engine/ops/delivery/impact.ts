import { relative } from 'node:path'
import { type } from 'arktype'
import { resolveOutputFile, writeOutput } from '../../base/disk/output-file.ts'
import { EngineError } from '../../base/errors.ts'
import { gatherImpact } from '../../delivery/impact/gather.ts'
import type { Impact } from '../../delivery/impact/impact.ts'
import { ImpactType } from '../../delivery/impact/schema.ts'
import { formatImpact, renderImpactMarkdown } from '../../delivery/impact/text.ts'
import { listRepository, reportProgress } from '../../delivery/trace/listing.ts'
import { defineOperation } from '../../door/operation.ts'

interface ImpactResult extends Impact {
  content?: string
  written?: string
}

/** What a change affects: rules, requirements, tests, frameworks and controls. */
export default defineOperation({
  id: 'delivery.impact',
  summary:
    'Show what a change affects: rules, requirements, tests, frameworks and controls, with the risk of each file.',
  effect: 'read',
  cli: 'impact',
  rest: 'GET /api/impact',
  mcp: null,
  short: { files: 'f', output: 'o' },
  examples: [
    ['svc impact', 'show what the staged changes affect'],
    ['svc impact --git-range main..HEAD --format markdown', 'print Markdown for a pull request'],
    ['svc impact --files src/app.py', 'show what changes to one file affect'],
  ],
  input: type({
    git_range: type('string')
      .describe('a range of commits (main..HEAD, main...topic); empty for staged changes')
      .default(''),
    staged: type('boolean').describe('true or false: staged changes, which are the default').default(false),
    'files?': type('string > 0').array().describe('files, compared with HEAD'),
    'format?': type("'markdown'").configure({ description: 'markdown: a document for a pull request' }, 'self'),
    'output?': type('string > 0').describe('an output file for the Markdown (default: standard output)'),
    'config?': type('string > 0').describe('a configuration file'),
    '+': 'reject',
  }),
  output: type({
    '...': ImpactType,
    'content?': type('string').describe('the Markdown, where it was not written to a file'),
    'written?': type('string').describe('the file that was written'),
  }),

  async run({ git_range, staged, files, format, output, config: path }, context): Promise<ImpactResult> {
    if ([git_range !== '', staged, files !== undefined].filter(Boolean).length > 1)
      throw new EngineError('USAGE', 'git_range, staged and files exclude each other: name one of them.')
    if (output !== undefined && format === undefined)
      throw new EngineError('INPUT_INVALID', 'output needs format: name markdown.')
    if (output !== undefined && context.surface !== 'cli')
      throw new EngineError('FORBIDDEN', 'A file to write can be named on the command line only.')
    const file = output === undefined ? undefined : resolveOutputFile(context.cwd, output)
    const { config, listing } = await listRepository(context, path)
    const request = { ...(git_range !== '' && { git_range }), ...(files && { files }) }
    const impact = await gatherImpact(config, listing, request, {
      ...context,
      onProgress: reportProgress(context, 'impact'),
    })
    if (format === undefined) return impact
    const content = renderImpactMarkdown(impact)
    if (file === undefined) return { ...impact, content }
    writeOutput(file, content)
    return { ...impact, written: relative(context.cwd, file) || file }
  },

  text: ({ content, written, ...impact }, view) =>
    content?.trimEnd() ?? (written === undefined ? formatImpact(impact, view) : `Wrote ${written}.`),
})
