import { type } from 'arktype'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { formatFindingLine } from '../../findings/line.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { FindingLineType, Limit, RunRef } from '../../sources/store/run-schema.ts'

/** Lines of one list that a person is shown; --json has them all. */
const SHOWN = 20

/** What changed between two runs, by the findings' fingerprints: moved lines are no change. */
export default defineOperation({
  id: 'store.compare',
  summary: 'Show new, resolved and unchanged findings since an earlier run.',
  effect: 'read',
  cli: 'compare',
  rest: 'GET /api/audit/runs/{run_id}/compare',
  mcp: null,
  short: { run_id: 'r' },
  input: type({
    run_id: RunRef.default('latest'),
    'against?': RunRef.describe('a run id or its prefix (default: the previous run of the same scope)'),
    limit: Limit(100_000, 1000, 'findings per list'),
    '+': 'reject',
  }),
  output: type({
    run_id: 'string',
    against: 'string',
    counts: type({
      new: 'number.integer',
      resolved: 'number.integer',
      unchanged: 'number.integer',
      suppressed: 'number.integer',
      not_compared: 'number.integer',
    }),
    new: FindingLineType.array(),
    resolved: FindingLineType.array(),
    unchanged: FindingLineType.array(),
  }),
  examples: [
    ['svc compare', 'compare the latest run with the previous one'],
    ['svc compare -r 20250131-142501 --json', 'compare an earlier run with its predecessor and print JSON'],
  ],

  run: ({ run_id, against, limit }, context) => runWithStore(context, store => store.compare(run_id, against, limit)),

  text(output, view) {
    const { counts } = output
    const lines = [
      `Run ${output.run_id} against ${output.against}:`,
      `  ${view.paint(counts.new > 0 ? 'red' : 'green', `${counts.new} new`)}, ` +
        `${view.paint('green', `${counts.resolved} resolved`)}, ${counts.unchanged} unchanged` +
        (counts.suppressed > 0 ? `, ${counts.suppressed} suppressed since` : ''),
    ]
    if (counts.not_compared > 0) {
      lines.push(
        `  ${formatCount(counts.not_compared, 'finding')} in files that only one of the runs scanned: not compared`,
      )
    }
    const lists = view.verbose ? (['new', 'resolved', 'unchanged'] as const) : (['new', 'resolved'] as const)
    for (const name of lists) {
      const list = output[name].slice(0, SHOWN)
      if (list.length === 0) continue
      lines.push('', view.paint('bold', name[0]!.toUpperCase() + name.slice(1)))
      lines.push(...list.map(finding => `  ${formatFindingLine(finding, view)}`))
      if (counts[name] > list.length)
        lines.push(view.paint('dim', `  and ${counts[name] - list.length} more: --json lists them`))
    }
    return lines.join('\n')
  },
})
