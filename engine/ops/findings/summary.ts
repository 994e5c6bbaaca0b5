import { type } from 'arktype'
import { RATING_MEANING } from '../../base/records/rating.ts'
import { RatingType } from '../../base/records/rating-schema.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { formatSeverities, SEVERITY_STYLE } from '../../findings/line.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { GateOutcomeType, Limit, RunRef, SummaryType } from '../../sources/store/run-schema.ts'

/** A run at a glance, short enough to stand in an agent's context. */
export default defineOperation({
  id: 'findings.summary',
  summary: 'Summarize the latest scan: counts by severity, and the rules, files and controls with the most findings.',
  effect: 'read',
  cli: null,
  rest: null,
  mcp: 'get_scan_summary',
  input: type({
    run_id: RunRef.default('latest'),
    limit: Limit(50, 5, 'rules, files and controls to return'),
    '+': 'reject',
  }),
  output: type({
    started_at: 'string',
    scope: 'string',
    'git_sha?': 'string',
    'branch?': 'string',
    'rating?': RatingType,
    'score?': 'number',
    'gate?': GateOutcomeType,
    files_scanned: 'number.integer',
    files_skipped: 'number.integer',
    rules_not_evaluated: 'number.integer',
  }).and(SummaryType),

  run: ({ run_id, limit }, context) =>
    runWithStore(context, async store => {
      const run = await store.run(run_id)
      const { git_sha, branch, rating, score, gate } = run
      return {
        ...(await store.summary(run.id, limit)),
        started_at: run.started_at,
        scope: run.scope,
        ...(git_sha !== undefined && { git_sha }),
        ...(branch !== undefined && { branch }),
        ...(rating !== undefined && { rating }),
        ...(score !== undefined && { score }),
        ...(gate !== undefined && { gate }),
        files_scanned: run.counts.files,
        files_skipped: run.skipped.length,
        rules_not_evaluated: new Set(run.not_evaluated.map(({ rule_id }) => rule_id)).size,
      }
    }),

  text(output, view) {
    const { paint } = view
    const lines = [
      `Run ${output.run_id} of ${output.started_at}${output.branch ? ` on ${output.branch}` : ''}: ${formatCount(output.open, 'open finding')} in ${formatCount(output.files_scanned, 'file')}` +
        `${output.files_skipped > 0 ? `, ${formatCount(output.files_skipped, 'file')} skipped` : ''}.`,
      `By severity: ${formatSeverities(output, view)}.`,
    ]
    if (output.rating) lines.push(`Rating ${output.rating}: ${RATING_MEANING[output.rating]}.`)
    if (output.suppressed + output.baseline > 0)
      lines.push(`Not open: ${output.suppressed} suppressed, ${output.baseline} in the baseline.`)
    if (output.rules_not_evaluated > 0)
      lines.push(`Not evaluated: ${formatCount(output.rules_not_evaluated, 'rule')}; that is not a pass.`)
    if (output.gate)
      lines.push(
        output.gate.passed ? 'Gate passed.' : `Gate failed: ${output.gate.reasons.join('; ').replace(/\.$/, '')}.`,
      )
    const list = (title: string, items: string[]) =>
      items.length > 0 && lines.push('', paint('bold', title), ...items.map(item => `  ${item}`))
    list(
      'Rules',
      output.rules.map(
        ({ rule_id, title, severity, count }) =>
          `${paint(SEVERITY_STYLE[severity], severity)} ${rule_id}: ${title} (${count})`,
      ),
    )
    list(
      'Files',
      output.files.map(({ file, count, worst }) => `${escapeInvisibleLine(file)} (${count}, worst ${worst})`),
    )
    list(
      'Controls',
      output.controls.map(({ framework, control, count }) => `${framework} ${control} (${count})`),
    )
    return lines.join('\n')
  },
})
