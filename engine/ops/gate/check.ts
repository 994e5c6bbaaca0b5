import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { FindingType, RuleGroupType } from '../../base/records/finding-schema.ts'
import type { Run } from '../../base/records/run.ts'
import { formatDecoration } from '../../delivery/decoration/text.ts'
import { defineOperation } from '../../door/operation.ts'
import { summarizeByRule } from '../../findings/by-rule.ts'
import { blocks } from '../../gate/decide.ts'
import { GateDecisionType } from '../../gate/decision-schema.ts'
import { formatVerdict } from '../../gate/verdict.ts'
import type { GovernedContext } from '../../governance/context.ts'
import { findOtherTree } from '../../scan/answer.ts'
import { evaluateGate, getGateExit } from '../../scan/evaluate-gate.ts'
import { GateInputType } from '../../scan/input-schema.ts'
import { perform } from '../../scan/perform.ts'
import { findUnstored, persist } from '../../scan/persist.ts'
import { withFilesAhead } from '../../scan/stored-files.ts'
import { formatSummary } from '../../scan/summary.ts'

/** Findings listed in the answer; all of them are in out/. */
const LISTED = 100

/** Scans and says whether the result may pass. A failed gate is an answer, not an error: REST says 200 with passed=false. */
export default defineOperation({
  id: 'gate.check',
  summary: 'Scan and evaluate the gate: exit 0 if it passes, 1 if it fails, 2 if only design decisions are pending.',
  effect: 'write',
  // What is posted is read as the team's own word.
  action: ({ decorate_pr, status_check }) => (decorate_pr || status_check ? 'create_pr' : 'run_gate'),

  cli: 'gate [repo_path] [...paths]',
  rest: 'POST /gate',
  mcp: null,

  examples: [
    ['svc gate', 'fail on open critical and high findings'],
    ['svc gate --git-range origin/main...HEAD', 'only evaluate findings that a branch introduces'],
    ['svc gate --json', 'print the decision as JSON'],
    [
      'svc gate --git-range origin/main...HEAD --reviewed-by kim',
      'approve weaker gate settings as a reviewer named in the base',
    ],
    ['svc gate --decorate-pr --status-check', 'write the result to the pull request that is being built'],
    ['SVC_GATE_FAIL_ON=critical svc gate', 'fail on critical findings only'],
  ],

  input: type({
    '...': GateInputType,
    'reviewed_by?': type('string > 0')
      .array()
      .describe(
        'names of reviewers of the change, as the forge reports them; one in gate.trusted or CODEOWNERS of the base can approve weaker settings',
      ),
    require_approval: type('boolean')
      .describe('true to request a human approval if the gate fails, and wait for it')
      .default(false),
    'approval_timeout?': type('1 <= number.integer <= 31536000').describe(
      'seconds to wait for an approval, 1 to 31536000 (default: 3600)',
    ),
    decorate_pr: type('boolean')
      .describe(
        'true to write the result to the pull request: one comment, updated with each run, and comments on lines',
      )
      .default(false),
    status_check: type('boolean').describe('true to set a check run or a commit status with the result').default(false),
    'commit_sha?': type('string > 0').describe(
      'the commit that the result is for (default: by the CI system, else HEAD); used with decorate_pr and status_check',
    ),
    '+': 'reject',
  }),
  output: type({
    '...': GateDecisionType,
    blocking_findings: FindingType.array().describe('the findings that fail the gate, the first 100 by location'),
    'by_rule?': RuleGroupType.array().describe(
      'the findings that fail the gate by rule, most severe first; present if there are more than 100 such findings',
    ),
    not_evaluated: type('number.integer').describe('the number of rules not evaluated on at least one file'),
    'decoration?': type({
      provider: 'string',
      sha: 'string',
      'pull_request?': 'number.integer',
      'comment?': type.enumerated('created', 'updated', 'unchanged', 'newer'),
      'review?': type({ posted: 'number.integer', resolved: 'number.integer', refused: 'number.integer' }).describe(
        'the review comments that were posted, resolved, and refused by the provider',
      ),
      'check?': type({
        kind: type.enumerated('check_run', 'commit_status'),
        annotations: 'number.integer',
        left_out: 'number.integer',
      }),
      'summary_file?': type('string').describe('the Markdown file that was written because not all could be posted'),
      problems: type('string[]').describe('the reasons why something was not posted; they do not change the decision'),
    }).describe('what was written to the provider'),
    run_id: 'string',
    run: type('object').describe('the record of the run, as in out/run.json'),
    'output_dir?': type('string').describe('the directory of the run and its reports; absent if nothing was stored'),
    'not_stored?': type('string').describe(
      'why the run and its reports could not be stored; a gate that passes then ends with exit code 74',
    ),
    'tree?': type('string').describe('the root of the scanned tree, if the command ran in another directory'),
  }),

  async run(input, context) {
    if (input.reviewed_by?.length) await refuseUnknownReviewer(context)
    const decoration = await (input.decorate_pr || input.status_check || input.commit_sha !== undefined
      ? prepareDecoration(input, context)
      : undefined)
    return withFilesAhead(async ahead => {
      const performed = await perform({ ...input, is_gate: true }, context, { onFiles: ahead.onFiles })
      const { run, findings, config, unstaged } = performed
      if (unstaged !== undefined) context.notice(unstaged)
      const failOn = (file: string) => config.for(file).gate.fail_on
      const decision = await evaluateGate(performed, input, context)
      const stored = await persist(performed, context, { gate: decision, ahead: ahead.files })
      const decorated = await decoration?.(performed, decision)
      const rules = new Set(run.not_evaluated.map(({ rule_id }) => rule_id)).size
      const blocking = findings.filter(finding => blocks(finding, failOn))
      return {
        ...decision,
        blocking_findings: blocking.slice(0, LISTED),
        ...(blocking.length > LISTED && { by_rule: summarizeByRule(blocking) }),
        not_evaluated: rules,
        ...(decorated && { decoration: decorated }),
        run_id: run.id,
        run,
        ...stored,
        ...findOtherTree(performed, context),
      }
    })
  },

  text({ run, blocking_findings, by_rule, output_dir, tree, decoration, ...decision }, view) {
    const options = { following: 'verdict', out: output_dir ?? null, tree, by_rule } as const
    const posted = decoration ? `\n${formatDecoration(decoration)}` : ''
    return `${formatSummary(run as Run, blocking_findings, view, options)}\n\n${formatVerdict(decision, view, tree)}${posted}`
  },

  exit: decision => getGateExit(decision),
  problem: output => findUnstored(output),
})

/** Finds where the result goes, before anything is scanned; answers what posts it. */
async function prepareDecoration(
  input: { decorate_pr: boolean; status_check: boolean; commit_sha?: string; repo_path: string; config?: string },
  context: GovernedContext,
) {
  if (!input.decorate_pr && !input.status_check)
    throw new EngineError('USAGE', '--commit-sha needs --decorate-pr or --status-check.')
  const { prepareDecoration: prepare } = await import('../../delivery/decoration/run.ts')
  return prepare(input, context)
}

/** FORBIDDEN where an agent names reviewers, and where a request without the server's key does: nothing tells it from an agent's. */
async function refuseUnknownReviewer(context: GovernedContext): Promise<void> {
  const { refuseAgent } = await import('../../governance/acting-agent.ts')
  refuseAgent(context, 'reviewed_by')
  if (context.surface !== 'rest' || context.caller?.api_key) return
  throw new EngineError(
    'FORBIDDEN',
    'reviewed_by requires a request with the API key of the server, and this server has none.',
    {
      hint: 'Set GUARD_API_KEY for the server and send it in X-API-Key, or run `svc gate --reviewed-by` in the pipeline.',
    },
  )
}
