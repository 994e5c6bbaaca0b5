import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import { writeOutput } from '../../base/disk/output-file.ts'
import { EngineError, toEngineError } from '../../base/errors.ts'
import type { View } from '../../base/text/view.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { blameFindings, readFindings, readTracedItems } from '../../delivery/reconcile/facts.ts'
import { readCommits } from '../../delivery/reconcile/history.ts'
import { type Reconciliation, reconcile } from '../../delivery/reconcile/reconcile.ts'
import { readWorkItems, WORK_ITEMS_PATHS, type WorkItem } from '../../delivery/reconcile/work-items.ts'
import type { CreatedItem } from '../../delivery/work-items/create-items.ts'
import { planItems } from '../../delivery/work-items/plan-items.ts'
import { defineOperation } from '../../door/operation.ts'
import { type Config, loadConfig } from '../../sources/config/load.ts'
import { locateWorkTree, readChanges } from '../../sources/repository/changes.ts'
import { makeOut } from '../../sources/store/layout.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'

const Item = type({ key: 'string', title: 'string', state: 'string' })

/** Compares commits and findings with work items. */
export default defineOperation({
  id: 'delivery.reconcile',
  summary: 'Compare commits and findings with work items: what has no item, which items have no commit.',
  effect: 'write',
  action: ({ create, yes }) => (create && yes ? 'create_pr' : 'read_findings'),
  cli: 'reconcile',
  rest: 'POST /api/reconcile',
  mcp: null,
  examples: [
    ['svc reconcile --work-items items.yaml', 'compare, and write out/reconciliation.json'],
    ['svc reconcile --work-items items.yaml --dry-run', 'compare, and write nothing'],
    ['svc reconcile --provider jira', 'compare with the work items of Jira'],
    [
      'svc reconcile --create',
      'show which work items would be created, one for each rule with findings that have none',
    ],
    ['svc reconcile --create --yes', 'create them'],
    ['svc reconcile --staged', 'compare the findings of staged files only'],
  ],
  input: type({
    'work_items?': type('string > 0').describe(
      'a file of work items, YAML or JSON (default: work-items.yaml, else .svc/work-items.yaml)',
    ),
    'provider?': type('string > 0').describe(
      'a provider whose work items are read instead of a file (github, gitlab, azure, jira, or devops_a, devops_b, devops_c); default: providers.default where there is no file',
    ),
    dry_run: type('boolean').describe('true or false: write nothing').default(false),
    staged: type('boolean').describe('true or false: compare findings of staged files only').default(false),
    create: type('boolean')
      .describe('true or false: plan a work item at the provider for each rule with findings that have none')
      .default(false),
    yes: type('boolean').describe('true to create what create plans').default(false),
    'config?': type('string > 0').describe('a configuration file'),
    '+': 'reject',
  }),
  output: type({
    dry_run: 'boolean',
    work_items_file: type('string').describe('the file of the work items, or the provider'),
    'branch?': 'string',
    'since?': type('string').describe('the branch whose commits are left out'),
    'run_id?': type('string').describe('the scan whose findings were compared'),
    items: 'number.integer',
    commits: 'number.integer',
    findings: 'number.integer',
    commits_without_item: type({ sha: 'string', subject: 'string' }).array(),
    items_without_commit: Item.array(),
    findings_without_item: type({
      ...{ id: 'string', rule_id: 'string', severity: 'string', title: 'string', file: 'string' },
      line: 'number.integer',
    }).array(),
    closed_items_with_findings: type({ key: 'string', title: 'string', state: 'string', findings: 'string[]' }).array(),
    contradictions: type({
      kind: type
        .enumerated(
          'closed_with_findings',
          'closed_but_not_covered',
          'open_but_covered',
          'open_but_closed_by_commit',
          'unknown_item',
        )
        .describe('what contradicts what'),
      key: type('string').describe('the work item'),
      detail: 'string',
      against: type('string[]').describe('findings, commits or requirements by their ids'),
    }).array(),
    'created?': type({
      title: 'string',
      findings: 'string[]',
      result: type.enumerated('planned', 'created', 'failed'),
      'key?': 'string',
      'url?': 'string',
      'problem?': 'string',
    })
      .array()
      .describe('the work items that are planned or were created'),
    'left_out?': type('number.integer').describe('rules for which the plan has no place'),
    linked: type({ sha: 'string', items: 'string[]' }).array(),
    not_evaluated: type('string[]').describe('what could not be compared, with the reason'),
    'written?': type('string').describe('the file that was written'),
  }),

  check: input => refuseContradictions(input),

  async run(input, context): Promise<Result> {
    const { work_items, provider, dry_run, staged, create, yes, config: path } = input
    refuseContradictions(input)
    const { cwd, env, signal } = context
    const config = await loadConfig(cwd, { env, ...(path !== undefined && { path }) })
    const { root } = config
    const { path: work_items_file, items, fromFile } = await readItems(config, { work_items, provider }, context)
    if (create && fromFile)
      throw new EngineError('USAGE', `The work items come from ${work_items_file}, where none can be created.`, {
        hint: 'Name the provider with --provider.',
      })
    locateWorkTree(root)
    const not_evaluated: string[] = []
    const history = await readCommits(root, signal).catch(error => {
      const { code, message } = toEngineError(error)
      if (code !== 'REPO_UNREADABLE') throw error
      not_evaluated.push(`commits: ${message}`)
      return undefined
    })
    const known = await readFindings({ ...context, cwd: root })
    if ('missing' in known) not_evaluated.push(`findings: ${known.missing}`)
    const changed = staged
      ? new Set((await readChanges(root, { staged: true }, { env, signal })).edits.map(edit => edit.path))
      : undefined
    const open = ('findings' in known ? known.findings : []).filter(({ file }) => changed?.has(file) ?? true)
    const { commits = [], branch, since } = history ?? {}
    const blamed = history
      ? await blameFindings(root, open, commits, signal)
      : { findings: open, earlier: [], not_evaluated: [] }
    not_evaluated.push(...blamed.not_evaluated)
    const requirements = await readTracedItems(config, context)
    const merged = history !== undefined && since === undefined
    const result: Result = {
      ...{ dry_run, work_items_file, not_evaluated },
      ...(branch !== undefined && { branch }),
      ...(since !== undefined && { since }),
      ...('run_id' in known && { run_id: known.run_id }),
      ...reconcile({
        ...{ items, commits, earlier: blamed.earlier, findings: blamed.findings, branch, merged, requirements },
      }),
    }
    if (create) {
      const plan = planItems(result.findings_without_item)
      if (plan.left_out > 0) result.left_out = plan.left_out
      const { createItems } = await import('../../delivery/work-items/create-items.ts')
      result.created = yes
        ? await createItems(plan.items, config, context, provider)
        : plan.items.map(({ title, findings }) => ({ title, findings, result: 'planned' as const }))
    }
    if (dry_run) return result
    const out = locateOutput(root, env, config.output_dir)
    makeOut(out)
    const file = join(out, 'reconciliation.json')
    writeOutput(file, `${JSON.stringify(result, null, 2)}\n`)
    return { ...result, written: relative(cwd, file) || file }
  },

  text(output, { paint, verbose }) {
    const limit = verbose ? Number.POSITIVE_INFINITY : 20
    const list = <T>(title: string, entries: readonly T[], tell: (entry: T) => string) =>
      entries.length === 0
        ? []
        : [
            paint('bold', `${title}: ${entries.length}`),
            ...entries.slice(0, limit).map(entry => `  ${escapeInvisibleLine(tell(entry))}`),
            ...(entries.length > limit ? [`  and ${entries.length - limit} more; -v shows all`] : []),
          ]
    return [
      ...list(
        'Commits without a work item',
        output.commits_without_item,
        each => `${each.sha.slice(0, 12)}  ${each.subject}`,
      ),
      ...list(
        'Work items without a commit',
        output.items_without_commit,
        each => `${each.key}  ${each.state}  ${each.title}`,
      ),
      ...list(
        'Findings without a work item',
        output.findings_without_item,
        each => `${each.severity.padEnd(8)}  ${each.file}:${each.line}  ${each.title}`,
      ),
      ...list(
        'Closed work items with open findings',
        output.closed_items_with_findings,
        each => `${each.key}  ${each.state}  ${each.findings.slice(0, 5).join(', ')}`,
      ),
      ...list('Contradictions', output.contradictions, each => formatContradiction(each)),
      ...formatCreated(output, paint),
      ...output.not_evaluated.map(reason => `${paint('yellow', 'not evaluated')}  ${escapeInvisibleLine(reason)}`),
      `${formatCount(output.commits, 'commit')}${output.since === undefined ? '' : ` since ${output.since}`}, ${formatCount(output.items, 'work item')} and ${formatCount(output.findings, 'finding')} compared${output.written === undefined ? '' : `; wrote ${output.written}`}.`,
    ].join('\n')
  },
  exit: ({ created = [] }) => (created.some(({ result }) => result === 'failed') ? 1 : 0),
})

/** USAGE for options that exclude or need each other. */
function refuseContradictions({
  work_items,
  provider,
  create,
  yes,
  dry_run,
}: {
  work_items?: string
  provider?: string
  create: boolean
  yes: boolean
  dry_run: boolean
}): void {
  if (work_items !== undefined && provider !== undefined)
    throw new EngineError('USAGE', '--work-items and --provider exclude each other.')
  if (yes && !create) throw new EngineError('USAGE', '--yes needs --create.')
  if (yes && dry_run) throw new EngineError('USAGE', '--yes and --dry-run exclude each other.')
}

function formatContradiction({ key, detail, against }: Reconciliation['contradictions'][number]): string {
  const shown = against.slice(0, 5).map(one => (/^[0-9a-f]{40,64}$/.test(one) ? one.slice(0, 12) : one))
  const more = against.length > shown.length ? ` and ${against.length - shown.length} more` : ''
  return `${key}: ${detail} (${shown.join(', ')}${more})`
}

function formatCreated(
  { created, left_out = 0 }: Pick<Result, 'created' | 'left_out'>,
  paint: View['paint'],
): string[] {
  if (!created) return []
  const lines = created.map(({ title, result, key, problem }) => {
    const text = escapeInvisibleLine(`${key === undefined ? '' : `${key}  `}${title}`)
    return result === 'failed'
      ? paint('red', `  failed   ${text}: ${escapeInvisibleLine(problem ?? '')}`)
      : `  ${result.padEnd(7)}  ${text}`
  })
  const planned = created.filter(({ result }) => result === 'planned').length
  return [
    paint('bold', `Work items: ${created.length}`),
    ...lines,
    ...(left_out > 0 ? [`  and ${formatCount(left_out, 'rule')} for another plan`] : []),
    ...(planned > 0 ? ['Create them with `svc reconcile --create --yes`.'] : []),
  ]
}

/** Work items of the named file, of the provider, of the repository's own file, or of the default provider, in this order. */
async function readItems(
  config: Config,
  { work_items, provider }: { work_items?: string | undefined; provider?: string | undefined },
  context: Context,
): Promise<{ path: string; items: WorkItem[]; fromFile: boolean }> {
  const hasFile = WORK_ITEMS_PATHS.some(path => existsSync(join(config.root, path)))
  if (provider === undefined && (work_items !== undefined || hasFile || config.providers.default === undefined))
    return { ...(await readWorkItems(config.root, work_items, context)), fromFile: true }
  const { readProviderItems } = await import('../../delivery/work-items/provider-items.ts')
  const read = await readProviderItems(config, context, provider)
  const items = read.work_items.map(item => ({ ...item, commits: [], branches: [] }))
  return { path: `provider ${read.provider}`, items, fromFile: false }
}

interface Result extends Reconciliation {
  dry_run: boolean
  work_items_file: string
  branch?: string
  since?: string
  run_id?: string
  not_evaluated: string[]
  created?: CreatedItem[]
  left_out?: number
  written?: string
}
