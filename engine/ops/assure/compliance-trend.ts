import { type } from 'arktype'
import { checkOutput, type Delivered, deliver } from '../../assure/documents/deliver.ts'
import { FrameworkPointType } from '../../assure/documents/schema.ts'
import { groupTrend, renderTrendHtml } from '../../assure/documents/trend.ts'
import { describeCoverage } from '../../assure/documents/wording.ts'
import { EngineError } from '../../base/errors.ts'
import { formatCount } from '../../base/text/words.ts'
import { VERSION } from '../../base/version.ts'
import { defineOperation } from '../../door/operation.ts'
import { drawSparkline } from '../../quality/sparkline.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { findFramework } from '../../sources/packs/find-framework.ts'
import { loadPacks } from '../../sources/packs/load.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { DamagedType, Limit } from '../../sources/store/run-schema.ts'
import { refuseNeverScanned } from '../../sources/store/runs.ts'

/** How the coverage of frameworks developed over the stored runs of the whole repository. */
export default defineOperation({
  id: 'assure.compliance-trend',
  summary: 'Show how the coverage of each framework developed over the stored runs.',
  effect: 'read',
  cli: 'compliance-trend',
  rest: null,
  mcp: null,
  short: { framework: 'f', last: 'n', output: 'o' },
  examples: [
    ['svc compliance-trend', 'show each framework over the last 20 runs'],
    ['svc compliance-trend -f soc2-tsc-2017 -n 100 -o trend.html', 'write one framework as a chart'],
  ],
  input: type({
    'framework?': type('string > 0').describe('a framework id'),
    last: Limit(1000, 20, 'runs to show'),
    'output?': type('string > 0').describe('an HTML file to write, or - for standard output'),
    '+': 'reject',
  }),
  output: type({
    runs: type('number.integer').describe('the number of runs that evaluated a framework'),
    frameworks: type({
      id: 'string',
      name: 'string',
      'change?': type('number').describe('the last coverage minus the first, in percentage points'),
      points: FrameworkPointType.array(),
    }).array(),
    damaged: DamagedType.array(),
    'content?': 'string',
    'output?': 'string',
    'bytes?': 'number.integer >= 0',
  }),

  async run({ framework, last, output }, context) {
    checkOutput(context, output)
    const root = findRepositoryRoot(context.cwd)
    const wanted = framework === undefined ? undefined : findFramework(await loadPacks(root), framework).framework!.id
    const { points, damaged, name } = await runWithStore(context, async store => {
      const latest = await store.latest()
      if (!latest) throw refuseNeverScanned()
      return { ...(await store.frameworkTrend(last)), name: latest.root_name }
    })
    const frameworks = groupTrend(points.filter(point => wanted === undefined || point.framework === wanted))
    if (frameworks.length === 0)
      throw new EngineError('RUN_NOT_FOUND', `No stored run evaluated ${wanted ?? 'a framework'}.`, {
        hint: 'Add a pack with `svc add-pack`, then scan the whole repository.',
      })
    const delivered: Delivered =
      output === undefined
        ? {}
        : await deliver(context, renderTrendHtml(name, VERSION, frameworks), { output, name: 'compliance-trend.html' })
    return { runs: new Set(points.map(({ run_id }) => run_id)).size, frameworks, damaged, ...delivered }
  },

  text({ runs, frameworks, damaged, content, output }, { paint, quiet }) {
    if (content !== undefined) return content
    if (output !== undefined) return quiet ? '' : `Wrote ${output}: ${frameworks.length} frameworks over ${runs} runs.`
    const lines = frameworks.flatMap(({ name, points, change }) => {
      const line = drawSparkline(points.map(({ coverage }) => coverage ?? null))
      const moved =
        change === undefined ? '' : ` (${change > 0 ? '+' : ''}${change} over ${formatCount(points.length, 'run')})`
      const last = points.at(-1)!
      return [paint('bold', name), `  ${line}  ${describeCoverage(last)}${moved}`]
    })
    return [...lines, ...damaged.map(({ reason }) => paint('yellow', reason))].join('\n')
  },
})
