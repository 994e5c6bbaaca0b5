import { join } from 'node:path'
import { type } from 'arktype'
import { loadAssessment } from '../../assure/controls/load.ts'
import { checkOutput, deliver } from '../../assure/documents/deliver.ts'
import { StateCountsType } from '../../assure/documents/schema.ts'
import { makeTrustCenter } from '../../assure/documents/trust-center.ts'
import { renderTrustHtml } from '../../assure/documents/trust-center-html.ts'
import { joinPieces } from '../../assure/report.ts'
import { defineOperation } from '../../door/operation.ts'

/** Where no name is given: never that of the repository, which may be internal. */
const UNNAMED = 'This organization'

/** The public page of an organization, without a path, code or a finding. */
export default defineOperation({
  id: 'assure.trust-center',
  summary: 'Write a public trust center page: frameworks with coverage, badges and dates, without any finding.',
  effect: 'read',
  action: 'read_findings',
  cli: 'trust-center',
  rest: 'GET /api/trust-center',
  mcp: null,
  short: { output: 'o', run_id: 'r' },
  raw: {
    field: 'content',
    type: ({ format }) => (format === 'json' ? 'application/json' : 'text/html; charset=utf-8'),
  },
  examples: [
    ['svc trust-center --org "Example GmbH"', 'write out/trust-center.html'],
    ['svc trust-center --org "Example GmbH" --badges public', 'also write an SVG badge per framework to public/'],
    ['svc trust-center --org "Example GmbH" --json', 'also print the figures as JSON'],
  ],
  input: type({
    'org?': type('0 < string <= 200').describe('the name of the organization'),
    'org_name?': type('0 < string <= 200').describe('the name of the organization; the same as org'),
    format: type.enumerated('html', 'json').configure({ description: 'html or json' }, 'self').default('html'),
    run_id: type('string > 0').describe('a run id, its prefix, or latest').default('latest'),
    'badges?': type('string > 0').describe('a directory for SVG badges, one per framework'),
    'output?': type('string > 0').describe(
      'an output file, or - for standard output (default: out/trust-center.<format>)',
    ),
    'config?': type('string > 0').describe('a configuration file'),
    '+': 'reject',
  }),
  output: type({
    format: type.enumerated('html', 'json'),
    organization: 'string',
    generated_at: 'string',
    scanned_at: 'string',
    tool: 'string',
    population: type({
      files: 'number.integer',
      skipped: 'number.integer',
      rules: 'number.integer',
      not_evaluated: 'number.integer',
    }),
    gate: type.enumerated('passed', 'failed', 'not_run'),
    'gate_run_id?': type('string').describe('the run that the gate ran in, if that is an earlier one of the same tree'),
    frameworks: type({
      name: 'string',
      source: 'string | null',
      counts: StateCountsType,
      coverage: 'number | null',
      summary: 'string',
      complete: 'boolean',
      controls_total: 'number.integer | null',
      evaluated_at: 'string',
      badge: type('string').describe('an SVG image'),
    }).array(),
    evidence: type({ total: 'number.integer', valid: 'number.integer' }),
    attestation: type({ sha256: 'string', generated_at: 'string' }).or('null'),
    statement: 'string',
    'content?': 'string',
    'output?': 'string',
    'bytes?': 'number.integer >= 0',
    'badges?': 'string[]',
  }),

  async run({ org, org_name, format, run_id, badges, output, config }, context) {
    checkOutput(context, output, config, badges)
    const assessment = await loadAssessment(context, { run_id, config })
    const center = makeTrustCenter(assessment, org ?? org_name ?? UNNAMED)
    const pieces = format === 'json' ? [`${JSON.stringify(center, undefined, 1)}\n`] : renderTrustHtml(center)
    if (context.surface !== 'cli') return { format, ...center, content: joinPieces(pieces) }
    const delivered = await deliver(context, pieces, { output, name: `trust-center.${format}` })
    if (badges === undefined) return { format, ...center, ...delivered }
    const written: string[] = []
    for (const [at, { badge }] of center.frameworks.entries()) {
      const file = join(badges, `${assessment.frameworks[at]!.id}.svg`)
      written.push((await deliver(context, [`${badge}\n`], { output: file, name: file })).output!)
    }
    return { format, ...center, ...delivered, badges: written }
  },

  text({ content, output, frameworks, badges, organization }, { quiet }) {
    if (content !== undefined) return content
    if (quiet) return ''
    const named = organization === UNNAMED ? ' Name the organization with --org.' : ''
    return [
      `Wrote ${output}.${named}`,
      ...frameworks.map(({ name, summary }) => `  ${name}: ${summary}`),
      ...(badges ?? []).map(file => `Wrote ${file}.`),
    ].join('\n')
  },
})
