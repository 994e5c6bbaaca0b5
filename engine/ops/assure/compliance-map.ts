import { type } from 'arktype'
import { makeEvidenceMap } from '../../assure/controls/evidence-map.ts'
import { loadAssessment } from '../../assure/controls/load.ts'
import { checkOutput, deliver } from '../../assure/documents/deliver.ts'
import { renderMapHtml } from '../../assure/documents/map.ts'
import { CONTROL_STATES } from '../../base/records/framework.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'

/** Which control rests on which evidence, over all frameworks of a run. */
export default defineOperation({
  id: 'assure.compliance-map',
  summary: 'Write the evidence map: which evidence supports which control, across frameworks.',
  effect: 'write',
  action: 'read_findings',
  cli: 'compliance-map',
  rest: null,
  mcp: null,
  short: { framework: 'f', output: 'o', run_id: 'r' },
  examples: [
    ['svc compliance-map', 'write out/compliance-map.html'],
    ['svc compliance-map -f soc2-tsc-2017 -f pci-dss-4-0-1 -o map.html', 'compare what two frameworks share'],
  ],
  input: type({
    'framework?': type('string[]').describe('framework ids (default: those of the run)'),
    run_id: type('string > 0').describe('a run id, its prefix, or latest').default('latest'),
    'output?': type('string > 0').describe(
      'an output file, or - for standard output (default: out/compliance-map.html)',
    ),
    'config?': type('string > 0').describe('a configuration file'),
    '+': 'reject',
  }),
  output: type({
    run_id: 'string',
    generated_at: 'string',
    frameworks: type({ id: 'string', name: 'string' }).array(),
    entries: type({
      kind: type.enumerated('rules', 'document', 'human'),
      title: 'string',
      sources: 'string[]',
      state: 'string',
      person: 'string | null',
      controls: type({ '[string]': 'string[]' }),
    }).array(),
    controls: type({
      framework: 'string',
      id: 'string',
      title: 'string',
      state: type.enumerated(...CONTROL_STATES),
      rests_on: type('number.integer[]').describe('places in entries, from 0'),
    }).array(),
    unsupported: type('number.integer').describe('the number of controls without evidence'),
    'content?': 'string',
    'output?': 'string',
    'bytes?': 'number.integer >= 0',
  }),

  async run({ framework, run_id, output, config }, context) {
    checkOutput(context, output, config)
    const assessment = await loadAssessment(context, { run_id, config, ...(framework && { frameworks: framework }) })
    const map = makeEvidenceMap(assessment)
    const pieces = renderMapHtml(assessment, map)
    return { ...map, ...(await deliver(context, pieces, { output, name: 'compliance-map.html' })) }
  },

  text({ entries, controls, unsupported, frameworks, output, content }, { quiet }) {
    if (content !== undefined) return content
    if (quiet) return ''
    return `Wrote ${output}: ${formatCount(controls.length, 'control')} of ${formatCount(frameworks.length, 'framework')} on ${formatCount(entries.length, 'piece')} of evidence; ${unsupported} without evidence.`
  },
})
