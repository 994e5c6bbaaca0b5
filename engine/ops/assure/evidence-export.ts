import { type } from 'arktype'
import { listFrameworks } from '../../assure/controls/list.ts'
import { loadAssessment } from '../../assure/controls/load.ts'
import {
  DOCUMENT_FILES,
  DOCUMENT_FORMATS,
  makeEvidencePackages,
  renderCompliance,
} from '../../assure/documents/compliance.ts'
import { checkOutput, chooseFormat, deliver } from '../../assure/documents/deliver.ts'
import { AvailableFrameworkType, formatAvailable, StateCountsType } from '../../assure/documents/schema.ts'
import { joinPieces } from '../../assure/report.ts'
import { EngineError } from '../../base/errors.ts'
import { CONTROL_STATES } from '../../base/records/framework.ts'
import { defineOperation } from '../../door/operation.ts'

const Item = type({
  kind: type.enumerated('scan', 'human', 'attestation', 'audit'),
  source: 'string',
  sha256: 'string | null',
  observed_at: 'string',
  expires: 'string | null',
  title: 'string',
  state: 'string',
  provenance: type({
    population: 'string',
    period: type({ from: 'string', to: 'string' }),
    tool: 'string',
    input: 'string',
    output: 'string',
    person: 'string | null',
  }),
})

const Package = {
  framework: 'string',
  edition: 'string',
  generated_at: 'string',
  tool_version: 'string',
  run_id: 'string',
  git_sha: 'string | null',
  coverage: StateCountsType,
  coverage_percent: 'number | null',
  complete: 'boolean',
  caveats: 'string[]',
  controls: type({
    id: 'string',
    title: 'string',
    state: type.enumerated(...CONTROL_STATES),
    reason: 'string',
    rules: type({ id: 'string', evaluated: 'boolean', open: 'number.integer', suppressed: 'number.integer' }).array(),
    findings: 'string[]',
    evidence: Item.array(),
  }).array(),
} as const

/** The evidence behind the controls of one framework or of all. */
export default defineOperation({
  id: 'assure.evidence-export',
  summary: 'Export the evidence behind the controls of a framework, as HTML, JSON, Markdown or OSCAL.',
  effect: 'read',
  action: 'read_findings',
  cli: 'evidence-export',
  rest: 'GET /api/evidence-export',
  mcp: null,
  short: { framework: 'f', all: 'a', list: 'l', output: 'o', run_id: 'r' },
  examples: [
    ['svc evidence-export -f soc2-tsc-2017', 'write out/evidence-soc2-tsc-2017.html'],
    ['svc evidence-export -f soc2-tsc-2017 --json', 'also print the evidence package as JSON'],
    ['svc evidence-export --all --format oscal -o results.json', 'write OSCAL assessment results of all frameworks'],
  ],
  input: type({
    framework: type('string').describe('a framework id').default(''),
    all: type('boolean').describe('true or false: export every framework of the run').default(false),
    list: type('boolean').describe('true or false: list the frameworks and export nothing').default(false),
    'format?': type
      .enumerated(...DOCUMENT_FORMATS)
      .configure({ description: 'html, json, md, oscal or oscal-component (default: by the output file)' }, 'self'),
    run_id: type('string > 0').describe('a run id, its prefix, or latest').default('latest'),
    'output?': type('string > 0').describe(
      'an output file, or - for standard output (default: out/evidence-<framework>.<format>)',
    ),
    'config?': type('string > 0').describe('a configuration file'),
    '+': 'reject',
  }),
  output: type({
    'frameworks?': AvailableFrameworkType.array(),
    'packages?': type(Package).array(),
    'framework?': 'string',
    'edition?': 'string',
    'generated_at?': 'string',
    'tool_version?': 'string',
    'run_id?': 'string',
    'git_sha?': 'string | null',
    'coverage?': Package.coverage,
    'coverage_percent?': 'number | null',
    'complete?': 'boolean',
    'caveats?': 'string[]',
    'controls?': Package.controls,
    'html?': 'string',
    'content?': type('string').describe('the document, if it was not written to a file'),
    'output?': 'string',
    'bytes?': 'number.integer >= 0',
  }),

  async run({ framework, all, list, output, run_id, config, ...input }, context) {
    const isCli = context.surface === 'cli'
    checkOutput(context, output, config)
    if (list) return { frameworks: await listFrameworks(context, config) }
    if (framework !== '' && all) throw new EngineError('USAGE', '--framework and --all exclude each other.')
    if (isCli && framework === '' && !all)
      throw new EngineError('USAGE', 'No framework is given.', {
        hint: 'Name one with --framework, or export all with --all; --list shows them.',
      })
    const format = input.format ?? (isCli ? chooseFormat(DOCUMENT_FORMATS, output) : 'json')
    const assessment = await loadAssessment(context, { run_id, config, ...(framework && { frameworks: [framework] }) })
    const packages = makeEvidencePackages(assessment)
    const one = framework === '' ? undefined : packages.packages[0]!
    const data = one ?? packages
    const pieces =
      format === 'json' ? [`${JSON.stringify(data, undefined, 1)}\n`] : renderCompliance(format, assessment)
    if (!isCli && format === 'html') return { html: joinPieces(pieces), framework: one?.framework ?? '' }
    if (!isCli && format === 'json') return data
    const name = `evidence-${one?.framework ?? 'all'}.${DOCUMENT_FILES[format].extension}`
    return { ...data, ...(await deliver(context, pieces, { output, name })) }
  },

  text({ frameworks, output, content, run_id, packages, controls }, view) {
    if (frameworks) return formatAvailable(frameworks, view)
    if (content !== undefined) return content
    if (view.quiet) return ''
    const count = controls?.length ?? packages!.reduce((sum, each) => sum + each.controls.length, 0)
    return `Wrote ${output} from run ${run_id}: the evidence of ${count} controls.`
  },
})
