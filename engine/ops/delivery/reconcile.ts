import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import { writeOutput } from '../../base/disk/output-file.ts'
import { EngineError, toEngineError } from '../../base/errors.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { readCommits } from '../../delivery/reconcile/history.ts'
import { type OpenFinding, type Reconciliation, reconcile } from '../../delivery/reconcile/reconcile.ts'
import { readWorkItems, WORK_ITEMS_PATHS, type WorkItem } from '../../delivery/reconcile/work-items.ts'
import { defineOperation } from '../../door/operation.ts'
import { type Config, loadConfig } from '../../sources/config/load.ts'
import { locateWorkTree, readChanges } from '../../sources/repository/changes.ts'
import { makeOut } from '../../sources/store/layout.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'

const Item = type({ key: 'string', title: 'string', state: 'string' })

/** Compares commits and findings with work items. */
export default defineOperation({
  id: 'delivery.reconcile',
  summary: 'Compare commits and findings with work items: what has no item, which items have no commit.',
  effect: 'write',
  action: 'read_findings',
  cli: 'reconcile',
  rest: 'POST /api/reconcile',
  mcp: null,
  short: { config: 'c' },
  examples: [
    ['svc reconcile --work-items items.yaml', 'compare, and write out/reconciliation.json'],
    ['svc reconcile --work-items items.yaml --dry-run', 'compare, and write nothing'],
    ['svc reconcile --provider jira', 'compare with the work items of Jira'],
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
    linked: type({ sha: 'string', items: 'string[]' }).array(),
    not_evaluated: type('string[]').describe('what could not be compared, with the reason'),
    'written?': type('string').describe('the file that was written'),
  }),

  async run({ work_items, provider, dry_run, staged, config: path }, context): Promise<Result> {
    const { cwd, env, signal } = context
    const config = await loadConfig(cwd, { env, ...(path !== undefined && { path }) })
    const { root } = config
    const { path: work_items_file, items } = await readItems(config, { work_items, provider }, context)
    locateWorkTree(root)
    const not_evaluated: string[] = []
    const history = await readCommits(root, signal).catch(error => {
      const { code, message } = toEngineError(error)
      if (code !== 'REPO_UNREADABLE') throw error
      not_evaluated.push(`commits: ${message}`)
      return { commits: [], branch: undefined, since: undefined }
    })
    const known = await readFindings({ ...context, cwd: root })
    if ('missing' in known) not_evaluated.push(`findings: ${known.missing}`)
    const changed = staged
      ? new Set((await readChanges(root, { staged: true }, { env, signal })).edits.map(edit => edit.path))
      : undefined
    const findings = ('findings' in known ? known.findings : []).filter(({ file }) => changed?.has(file) ?? true)
    const { commits, branch, since } = history
    const result: Result = {
      ...{ dry_run, work_items_file, not_evaluated },
      ...(branch !== undefined && { branch }),
      ...(since !== undefined && { since }),
      ...('run_id' in known && { run_id: known.run_id }),
      ...reconcile(items, commits, findings, branch),
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
      ...output.not_evaluated.map(reason => `${paint('yellow', 'not evaluated')}  ${escapeInvisibleLine(reason)}`),
      `${formatCount(output.commits, 'commit')}${output.since === undefined ? '' : ` since ${output.since}`}, ${formatCount(output.items, 'work item')} and ${formatCount(output.findings, 'finding')} compared${output.written === undefined ? '' : `; wrote ${output.written}`}.`,
    ].join('\n')
  },
})

/** Work items of the named file, of the provider, of the repository's own file, or of the default provider, in this order. */
async function readItems(
  config: Config,
  { work_items, provider }: { work_items?: string | undefined; provider?: string | undefined },
  context: Context,
): Promise<{ path: string; items: WorkItem[] }> {
  if (work_items !== undefined && provider !== undefined)
    throw new EngineError('USAGE', '--work-items and --provider exclude each other.')
  const hasFile = WORK_ITEMS_PATHS.some(path => existsSync(join(config.root, path)))
  if (provider === undefined && (work_items !== undefined || hasFile || config.providers.default === undefined))
    return readWorkItems(config.root, work_items, context)
  const { readProviderItems } = await import('../../delivery/work-items/provider-items.ts')
  const read = await readProviderItems(config, context, provider)
  const items = read.work_items.map(item => ({ ...item, commits: [], branches: [] }))
  return { path: `provider ${read.provider}`, items }
}

interface Result extends Reconciliation {
  dry_run: boolean
  work_items_file: string
  branch?: string
  since?: string
  run_id?: string
  not_evaluated: string[]
  written?: string
}

/** The open findings of the latest run, or why they are not known. */
async function readFindings(
  context: Parameters<typeof runWithStore>[0],
): Promise<{ run_id: string; findings: OpenFinding[] } | { missing: string }> {
  try {
    return await runWithStore(context, async store => {
      const [latest] = (await store.runs()).runs
      if (!latest) return { missing: 'no run is stored; run `svc scan` first' }
      const { findings } = await store.findings(latest.id, { limit: Number.MAX_SAFE_INTEGER })
      return { run_id: latest.id, findings: findings.filter(({ status }) => status === 'open') }
    })
  } catch (error) {
    if (error instanceof EngineError && error.code !== 'INTERRUPTED') return { missing: error.message }
    throw error
  }
}
