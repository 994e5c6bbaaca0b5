import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { refuseAgent } from '../../governance/acting-agent.ts'
import { askForDecisions } from '../../review/design/ask.ts'
import type { DesignDecision } from '../../review/design/decision.ts'
import { DesignDecisionType, LlmPartType } from '../../review/design/decision-schema.ts'
import { acknowledge, readDecisions, reviewDesign } from '../../review/design/review.ts'
import { formatDecisions, formatHead, formatLlm } from '../../review/design/text.ts'
import { EXCHANGE_OPTIONS } from '../../review/llm/exchange-schema.ts'
import { openModel } from '../../review/llm/open.ts'
import { PlannedType } from '../../review/llm/planned-schema.ts'
import { formatPlanned } from '../../review/llm/planned-text.ts'
import type { PlannedRequest } from '../../review/llm/session.ts'
import { loadConfig } from '../../sources/config/load.ts'

/** Finds the design decisions of a change, and keeps which ones a reviewer has acknowledged. */
export default defineOperation({
  id: 'review.design',
  summary: 'Review the design of a change: list its decisions, and acknowledge them.',
  effect: 'write',
  action: ({ ack }) => (ack === undefined ? 'read_findings' : 'resolve_approval'),
  cli: 'review-design',
  rest: null,
  mcp: null,
  short: { file: 'f' },
  examples: [
    ['svc review-design', 'review the uncommitted changes'],
    ['svc review-design --git-range origin/main...HEAD', 'review a branch'],
    ['svc review-design --pending', 'list the decisions that wait for an acknowledgment'],
    ['svc review-design --ack DD-1a2b3c4d5e --note "agreed in the team meeting"', 'acknowledge a decision'],
  ],
  input: type({
    'file?': type('string > 0').describe('a file to review as a whole'),
    'git_range?': type('string > 0').describe('a range of commits (main..HEAD, main...topic) whose changes to review'),
    staged: type('boolean').describe('true or false: review the staged changes').default(false),
    pending: type('boolean').describe('true or false: list the stored decisions that are pending').default(false),
    'ack?': type(/^DD-[0-9a-f]{10}$/).describe('the id of a decision to acknowledge (DD- and ten hexadecimal digits)'),
    'note?': type('0 < string <= 2000').describe('a note on the acknowledgment, up to 2000 characters'),
    ...EXCHANGE_OPTIONS,
    'config?': type('string > 0').describe('a configuration file'),
    '+': 'reject',
  }),
  output: type({
    scope: type('string | null').describe('what was reviewed, in words; null if no review was made yet'),
    generated_at: 'string | null',
    files: type('number.integer').describe('the files of the review'),
    decisions: DesignDecisionType.array(),
    counts: type({ pending: 'number.integer', acknowledged: 'number.integer', obsolete: 'number.integer' }),
    unread: type({ path: 'string', reason: 'string' }).array().describe('files that could not be reviewed'),
    llm: LlmPartType,
    'planned?': PlannedType.array().describe('with dry_run: the requests that would be sent'),
    'acknowledged?': type('string').describe('the id of the acknowledged decision'),
  }),

  async run({ pending, ack, note, config: path, dry_run, record, replay, ...request }, context) {
    const config = await loadConfig(context.cwd, { env: context.env, path })
    if (note !== undefined && ack === undefined)
      throw new EngineError('INPUT_INVALID', 'note needs ack: name the decision that it is about.')
    if (ack !== undefined) {
      if (pending || request.file !== undefined || request.git_range !== undefined || request.staged)
        throw new EngineError('INPUT_INVALID', 'ack takes a note and no review.')
      refuseAgent(context, 'An acknowledgment')
      const by = context.env.USER ?? context.env.USERNAME
      acknowledge({ id: ack, ...(note !== undefined && { note }), ...(by && { by }) }, config, context.env)
    }
    const more: { planned?: PlannedRequest[]; acknowledged?: string } = ack === undefined ? {} : { acknowledged: ack }
    if (pending || ack !== undefined) {
      const stored = readDecisions(config, context.env)
      const decisions = stored?.decisions ?? []
      return {
        ...{ scope: stored?.scope ?? null, generated_at: stored?.generated_at ?? null, files: 0 },
        decisions: pending ? decisions.filter(({ status }) => status === 'pending') : decisions,
        counts: count(decisions, stored?.obsolete ?? 0),
        unread: stored?.unread ?? [],
        llm: stored?.llm ?? { state: 'not_evaluated' as const, reason: 'no review was made', dropped: 0 },
        ...more,
      }
    }
    const opened = openModel(config, context, { dry_run, record, replay })
    const ask = opened.session && askForDecisions(opened.session, config.llm.exclude)
    const reviewed = await reviewDesign(request, config, context, ask, dry_run)
    const { scope, generated_at, files, decisions, unread, obsolete } = reviewed
    const llm = opened.session
      ? reviewed.llm
      : { ...reviewed.llm, reason: opened.reason, ...(opened.unavailable && { unavailable: true as const }) }
    const counts = count(decisions, obsolete)
    if (dry_run) more.planned = opened.session?.planned ?? []
    return { scope, generated_at, files, decisions, counts, unread, llm, ...more }
  },

  text({ scope, decisions, counts, unread, llm, acknowledged, files, planned }, view) {
    if (planned !== undefined) return formatPlanned(planned, llm)
    if (acknowledged !== undefined)
      return `Acknowledged ${acknowledged}. ${formatCount(counts.pending, 'decision')} pending.`
    if (scope === null) return 'No design review was made yet. Run `svc review-design`.'
    const rows = [formatHead(decisions, scope)]
    if (files > 0) rows.push(`${formatCount(files, 'file')} reviewed.`)
    if (decisions.length > 0) rows.push('', ...formatDecisions(decisions, view), '')
    for (const { path, reason } of unread)
      rows.push(`Not reviewed: ${escapeInvisibleLine(path)} (${escapeInvisibleLine(reason)}).`)
    rows.push(formatLlm(llm))
    if (counts.pending > 0) rows.push('Acknowledge a decision with `svc review-design --ack <id> --note "<note>"`.')
    return rows.join('\n')
  },
  exit: ({ llm }) => (llm.unavailable ? 69 : 0),
})

function count(decisions: readonly DesignDecision[], obsolete: number) {
  const pending = decisions.filter(({ status }) => status === 'pending').length
  return { pending, acknowledged: decisions.length - pending, obsolete }
}
