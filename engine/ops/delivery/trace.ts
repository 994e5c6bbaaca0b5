import { join, relative } from 'node:path'
import { type } from 'arktype'
import { resolveOutputFile, writeOutput } from '../../base/disk/output-file.ts'
import { EngineError } from '../../base/errors.ts'
import { renderTraceCsv } from '../../delivery/trace/csv.ts'
import { traceRequirements } from '../../delivery/trace/gather.ts'
import { renderTraceHtml } from '../../delivery/trace/html.ts'
import { listRepository, refuseWithoutRequirements, reportProgress } from '../../delivery/trace/listing.ts'
import { renderTraceMarkdown } from '../../delivery/trace/markdown.ts'
import { reachesCoverage, type TraceMatrix } from '../../delivery/trace/matrix.ts'
import { TraceMatrixType } from '../../delivery/trace/schema.ts'
import { formatTrace } from '../../delivery/trace/text.ts'
import { defineOperation } from '../../door/operation.ts'
import { makeOut } from '../../sources/store/layout.ts'
import { resolveOutputDirectory } from '../../sources/store/output-directory.ts'

const FORMATS = ['html', 'json', 'csv', 'markdown'] as const

/** Traces requirements to code, tests, their last run and controls, both ways. */
export default defineOperation({
  id: 'delivery.trace',
  summary: 'Trace requirements to code, tests, the last test run and controls.',
  effect: 'write',
  action: 'read_findings',
  cli: 'trace',
  rest: null,
  mcp: null,
  short: { format: 'f', output: 'o' },
  examples: [
    ['svc trace', 'show each requirement with its state'],
    ['svc trace --format html', 'write the matrix to out/trace.html'],
    ['svc trace --format csv -o trace.csv', 'write the matrix for a spreadsheet'],
    ['svc trace --min-coverage 80', 'exit 1 if fewer than 80 % of the approved requirements are covered'],
  ],
  input: type({
    'format?': type
      .enumerated(...FORMATS)
      .configure({ description: 'html, json, csv or markdown: a document in place of the table' }, 'self'),
    'output?': type('string > 0').describe(
      'an output file, or - for standard output (default: out/trace.html for html, else standard output)',
    ),
    'min_coverage?': type('0 <= number <= 100').describe(
      'a percentage from 0 to 100: the least share of approved requirements that must be covered',
    ),
    'config?': type('string > 0').describe('a configuration file'),
    '+': 'reject',
  }),
  output: type({
    '...': TraceMatrixType,
    passed: type('boolean').describe('false if coverage is below min_coverage, or unknown'),
    'min_coverage?': 'number',
    'written?': type('string').describe('the file that was written'),
    'content?': type('string').describe('the document, where it was not written to a file'),
  }),

  async run({ format, output, min_coverage, config: path }, context): Promise<TraceResult> {
    if (output !== undefined && format === undefined)
      throw new EngineError('INPUT_INVALID', 'output needs format: name html, json, csv or markdown.')
    const named = output === undefined || output === '-' ? undefined : resolveOutputFile(context.cwd, output)
    const { config, listing } = await listRepository(context, path)
    const onProgress = reportProgress(context, 'trace')
    const matrix = await traceRequirements({ config, listing, signal: context.signal, onProgress })
    if (matrix.sources.length === 0) throw refuseWithoutRequirements()
    const result = {
      passed: judge(matrix, min_coverage),
      ...(min_coverage !== undefined && { min_coverage }),
      ...matrix,
    }
    if (format === undefined) return result
    const content = render(format, matrix)
    if (named === undefined && (output === '-' || format !== 'html')) return { ...result, content }
    const out = await resolveOutputDirectory(context)
    if (named === undefined) makeOut(out)
    const file = named ?? join(out, 'trace.html')
    writeOutput(file, content)
    return { ...result, written: relative(context.cwd, file) || file }
  },

  text: ({ content, written, passed, min_coverage, ...matrix }, view) => {
    if (content !== undefined) return content.trimEnd()
    if (written !== undefined) return view.quiet ? '' : `Wrote ${written}.`
    const verdict =
      min_coverage === undefined
        ? []
        : [
            `Coverage is ${matrix.summary.coverage ?? 'unknown'}${passed ? '' : `, which does not reach ${min_coverage}`}.`,
          ]
    return [formatTrace(matrix as TraceMatrix, view), ...verdict].join('\n')
  },
  exit: ({ passed }) => (passed ? 0 : 1),
})

interface TraceResult extends TraceMatrix {
  passed: boolean
  min_coverage?: number
  written?: string
  content?: string
}

/** A file of requirements that cannot be read may have any number of them, so coverage is unknown. */
function judge({ summary, problems }: TraceMatrix, least: number | undefined): boolean {
  if (least === undefined) return true
  const isKnown = !problems.some(({ kind }) => kind === 'invalid')
  return isKnown && reachesCoverage(summary, least)
}

function render(format: (typeof FORMATS)[number], matrix: TraceMatrix): string {
  if (format === 'html') return renderTraceHtml(matrix)
  if (format === 'csv') return renderTraceCsv(matrix)
  return format === 'markdown' ? renderTraceMarkdown(matrix) : `${JSON.stringify(matrix, null, 2)}\n`
}
