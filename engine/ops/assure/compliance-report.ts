import { type } from 'arktype'
import { listFrameworks } from '../../assure/controls/list.ts'
import { loadAssessment } from '../../assure/controls/load.ts'
import { DOCUMENT_FILES, DOCUMENT_FORMATS, renderCompliance } from '../../assure/documents/compliance.ts'
import { checkOutput, chooseFormat, deliver } from '../../assure/documents/deliver.ts'
import {
  AvailableFrameworkType,
  FrameworkFiguresType,
  formatAvailable,
  formatFigures,
  toFigures,
} from '../../assure/documents/schema.ts'
import { defineOperation } from '../../door/operation.ts'

/** The compliance report of a stored run: one framework or all. */
export default defineOperation({
  id: 'assure.compliance-report',
  summary: 'Write the compliance report of the latest run: the state of each control and what stands behind it.',
  effect: 'read',
  action: 'read_findings',
  cli: 'compliance-report',
  rest: 'GET /api/compliance-report',
  mcp: null,
  short: { framework: 'f', output: 'o', list: 'l', run_id: 'r' },
  raw: {
    field: 'content',
    type: ({ available, format }) => (available ? DOCUMENT_FILES.json.media : DOCUMENT_FILES[format].media),
  },
  examples: [
    ['svc compliance-report', 'write out/compliance-report.html for every framework of the latest run'],
    ['svc compliance-report -f soc2-tsc-2017 -o soc2.md', 'write the report of one framework as Markdown'],
    ['svc compliance-report --format oscal -o results.json', 'write OSCAL assessment results'],
    ['svc compliance-report --list', 'list the frameworks'],
  ],
  input: type({
    'framework?': type('string').describe('a framework id (default: every framework of the run)'),
    'format?': type
      .enumerated(...DOCUMENT_FORMATS)
      .configure(
        { description: 'html, json, md, oscal or oscal-component (default: by the output file, or html)' },
        'self',
      ),
    run_id: type('string > 0').describe('a run id, its prefix, or latest').default('latest'),
    list: type('boolean').describe('true or false: list the frameworks and write no report').default(false),
    'output?': type('string > 0').describe(
      'an output file, or - for standard output (default: out/compliance-report.<format>)',
    ),
    'config?': type('string > 0').describe('a configuration file'),
    '+': 'reject',
  }),
  output: type({
    format: type.enumerated(...DOCUMENT_FORMATS),
    'available?': AvailableFrameworkType.array(),
    'run_id?': 'string',
    'frameworks?': FrameworkFiguresType.array(),
    'content?': type('string').describe('the report, if it was not written to a file'),
    'output?': 'string',
    'bytes?': 'number.integer >= 0',
  }),

  async run({ framework, run_id, list, output, config, ...input }, context) {
    const format = input.format ?? chooseFormat(DOCUMENT_FORMATS, output)
    checkOutput(context, output, config)
    if (list) {
      const available = await listFrameworks(context, config)
      return {
        format,
        available,
        ...(context.surface === 'rest' && { content: JSON.stringify({ frameworks: available }) }),
      }
    }
    const assessment = await loadAssessment(context, { run_id, config, ...(framework && { frameworks: [framework] }) })
    const delivered = await deliver(context, renderCompliance(format, assessment), {
      output,
      name: `compliance-report.${DOCUMENT_FILES[format].extension}`,
    })
    return { format, run_id: assessment.run.id, frameworks: assessment.frameworks.map(toFigures), ...delivered }
  },

  text({ available, run_id, frameworks, content, output }, view) {
    if (available) return formatAvailable(available, view)
    if (content !== undefined) return content
    if (view.quiet) return ''
    if (frameworks!.length === 0) return `Wrote ${output} from run ${run_id}: no framework was on.`
    return [`Wrote ${output} from run ${run_id}.`, ...formatFigures(frameworks!)].join('\n')
  },
})
