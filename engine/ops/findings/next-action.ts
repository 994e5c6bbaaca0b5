import { type } from 'arktype'
import type { Finding } from '../../base/records/finding.ts'
import { FindingType, SeverityType } from '../../base/records/finding-schema.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { cut, formatCount, quoteShellWord } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { formatFindingLine } from '../../findings/line.ts'
import { resolveTarget, toRelativePath } from '../../scan/target.ts'
import { listLive } from '../../secrets/kept-checks.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { Limit } from '../../sources/store/run-schema.ts'

/** What to do next: the worst open findings of the latest run, one a rule, each with its fix; where none is open, those of the baseline. */
export default defineOperation({
  id: 'findings.next-action',
  summary: 'Show which findings to fix first: live secrets, then the most severe, one per rule.',
  effect: 'read',
  cli: 'next-action [repo_path]',
  rest: null,
  mcp: null,
  input: type({
    repo_path: type('string > 0')
      .describe('a path to the scanned repository, or to a directory or file in it')
      .default('.'),
    limit: Limit(100, 5, 'findings to return'),
    '+': 'reject',
  }),
  output: type({
    run_id: 'string',
    scanned: type({ root_name: 'string', scope: 'string', started_at: 'string' }).describe(
      'what the run scanned: the name of the directory, the scope in words, and when',
    ),
    'path?': type('string').describe('the file or directory that the actions are limited to'),
    open: 'number.integer',
    baseline: 'number.integer',
    from: type("'open' | 'baseline'").configure(
      { description: 'the status of the findings: open, or baseline if no finding is open' },
      'self',
    ),
    actions: type({
      severity: SeverityType,
      rule_id: 'string',
      title: 'string',
      file: 'string',
      line: 'number.integer',
      column: 'number.integer',
      snippet: 'string',
      reason: 'string',
      remediation: 'string',
      'fix?': FindingType.get('fix').exclude('undefined'),
      alike: type('number.integer').describe('the number of further findings of the rule'),
      live: type('boolean').describe('whether it is a secret that its provider has called live in the last days'),
      see: type('string').describe('the command that explains the rule'),
      accept: type('string').describe('the command that accepts the risk, with a reason'),
    }).array(),
  }),
  examples: [
    ['svc next-action', 'show the five findings to fix first'],
    ['svc next-action ../other', 'show those of another repository'],
    ['svc next-action src', 'only show findings below a directory'],
    ['svc next-action --limit 1 --json', 'print the finding to fix first as JSON'],
  ],

  run({ repo_path, limit }, context) {
    const { start, only } = resolveTarget([repo_path], context)
    const root = findRepositoryRoot(start)
    const path = only && toRelativePath(root, only[0]!)
    const live = listLive(root, context.env, Date.now())
    return runWithStore({ ...context, cwd: start }, async store => {
      const { id: run_id, root_name, scope, started_at } = await store.standing()
      const { open, baseline } = await store.gateCounts(run_id)
      const from = open === 0 && baseline > 0 ? ('baseline' as const) : ('open' as const)
      const actions = await store.next(run_id, limit, { status: from, file: path, urgent: live })
      return {
        run_id,
        scanned: { root_name, scope, started_at },
        ...(path !== undefined && { path }),
        open,
        baseline,
        from,
        actions: actions.map(({ finding, alike }) => ({
          ...actionFor(finding, alike),
          live: live.includes(finding.fingerprint),
        })),
      }
    })
  },

  text({ run_id, scanned, path, open, baseline, from, actions }, view) {
    const { paint } = view
    const about = paint('dim', `Latest scan of ${runLabel(scanned)}, run ${run_id}.`)
    if (open === 0 && baseline === 0) return `Nothing to fix: the latest scan has no open findings.\n${about}`
    if (actions.length === 0)
      return `${from === 'open' ? formatCount(open, 'open finding') : `${formatCount(baseline, 'finding')} in the baseline`}, none with a known fix${path === undefined ? '' : ` in ${escapeInvisibleLine(path)}`}. \`svc report\` shows them.\n${about}`
    const blocks = actions.map((action, i) => {
      const lines = [
        `${i + 1}. ${formatFindingLine(action, view)}`,
        ...indented(action.snippet.trimEnd(), 3).map(line => paint('dim', line)),
        ...(action.live ? [`   ${paint('red', 'Live')} Its provider accepts this secret: revoke it now.`] : []),
        `   ${paint('bold', 'Why')}  ${action.reason}`,
        `   ${paint('bold', 'Fix ')} ${indented(action.remediation.trim(), 8).join('\n').trimStart()}`,
      ]
      for (const edit of action.fix?.edits ?? []) {
        const place =
          edit.start_line === edit.end_line ? `line ${edit.start_line}` : `lines ${edit.start_line} to ${edit.end_line}`
        lines.push(paint('green', `        ${place}: ${edit.text === '' ? 'remove it' : cut(edit.text, 200)}`))
      }
      if (action.alike > 0) lines.push(paint('dim', `   and ${formatCount(action.alike, 'more finding')} of this rule`))
      if (view.verbose) lines.push(`   See     ${action.see}`, `   Accept  ${escapeInvisibleLine(action.accept)}`)
      else lines.push(`   ${paint('dim', action.see)}`)
      return lines.join('\n')
    })
    const [head, then] =
      from === 'open'
        ? ['', 'Then run `svc scan` and `svc compare` to see what is resolved.']
        : [
            `No open findings. ${formatCount(baseline, 'finding')} in the baseline, most severe first:\n\n`,
            'Then run `svc scan --update-baseline` to remove what is fixed.',
          ]
    return `${about}\n\n${head}${blocks.join('\n\n')}\n\n${then}`
  },
})

function actionFor(finding: Finding, alike: number) {
  const { severity, rule_id, title, file, line, column, snippet, message, remediation, fix } = finding
  return {
    severity,
    rule_id,
    title,
    file,
    line,
    column,
    snippet,
    reason: message,
    remediation,
    ...(fix && { fix }),
    alike,
    see: `svc explain ${quoteShellWord(rule_id)}`,
    accept: `svc suppress --rule ${quoteShellWord(rule_id)} --file ${quoteShellWord(file)} --reason "…"`,
  }
}

/** `shop (everything), 2026-11-25 19:20 UTC`: what a run scanned, and when. */
function runLabel({ root_name, scope, started_at }: { root_name: string; scope: string; started_at: string }): string {
  return `${escapeInvisibleLine(root_name)} (${escapeInvisibleLine(scope)}), ${started_at.slice(0, 16).replace('T', ' ')} UTC`
}

function indented(text: string, by: number): string[] {
  return text.split('\n').map(line => (line === '' ? '' : ' '.repeat(by) + line))
}
