import { type } from 'arktype'
import type { Finding } from '../../finding.ts'
import { FindingType, SeverityType } from '../../finding-schema.ts'
import { defineOperation } from '../../operation.ts'
import { withStore } from '../../store/open.ts'
import { Limit } from '../../store/run-schema.ts'
import { findingLine } from '../line.ts'
import { cut, plural, shellWord } from '../words.ts'

/** What to do next: the worst open findings of the latest run, one a rule, each with its remedy; where none is open, those of the baseline. */
export default defineOperation({
  id: 'findings.next-action',
  summary: 'Show what to mend first: the worst fixable findings of the latest scan, one a rule.',
  effect: 'read',
  cli: 'next-action',
  rest: null,
  mcp: null,
  input: type({ limit: Limit(100, 5, 'a number of findings'), '+': 'reject' }),
  output: type({
    run_id: 'string',
    open: 'number.integer',
    baseline: 'number.integer',
    from: type("'open' | 'baseline'").configure(
      { description: 'open, or baseline where nothing is open: what the actions are about' },
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
      alike: type('number.integer').describe('a number of further such findings of the rule'),
      see: type('string').describe('the command that explains the rule'),
      accept: type('string').describe('the command that accepts the risk, with a reason'),
    }).array(),
  }),
  examples: [
    ['svc next-action', 'the five most pressing'],
    ['svc next-action --limit 1 --json', 'the most pressing one, for a program'],
  ],

  run: ({ limit }, context) =>
    withStore(context, async store => {
      const { run_id, open, baseline } = await store.gateCounts('latest')
      const from = open === 0 && baseline > 0 ? ('baseline' as const) : ('open' as const)
      const actions = await store.next(run_id, limit, from)
      return { run_id, open, baseline, from, actions: actions.map(({ finding, alike }) => actionFor(finding, alike)) }
    }),

  text({ open, baseline, from, actions }, view) {
    if (open === 0 && baseline === 0) return 'Nothing to mend: the latest scan has no open finding.'
    if (actions.length === 0)
      return `${from === 'open' ? plural(open, 'open finding') : `${plural(baseline, 'finding')} in the baseline`}, none with a known remedy. \`svc report\` shows them.`
    const { paint } = view
    const blocks = actions.map((action, i) => {
      const lines = [
        `${i + 1}. ${findingLine(action, view)}`,
        ...indented(action.snippet.trimEnd(), 3).map(line => paint('dim', line)),
        `   ${paint('bold', 'Why')}  ${action.reason}`,
        `   ${paint('bold', 'Mend')} ${indented(action.remediation.trim(), 8).join('\n').trimStart()}`,
      ]
      for (const edit of action.fix?.edits ?? []) {
        const place =
          edit.start_line === edit.end_line ? `line ${edit.start_line}` : `lines ${edit.start_line} to ${edit.end_line}`
        lines.push(paint('green', `        ${place}: ${edit.text === '' ? 'remove it' : cut(edit.text, 200)}`))
      }
      if (action.alike > 0) lines.push(paint('dim', `   and ${plural(action.alike, 'more finding')} of this rule`))
      if (view.verbose) lines.push(`   See     ${action.see}`, `   Accept  ${action.accept}`)
      else lines.push(`   ${paint('dim', action.see)}`)
      return lines.join('\n')
    })
    const [head, then] =
      from === 'open'
        ? ['', 'Then run `svc scan` and `svc compare` to see what is resolved.']
        : [
            `Nothing is open. Of ${plural(baseline, 'finding')} in the baseline, the worst first:\n\n`,
            'Then run `svc scan --update-baseline` to take out what is mended.',
          ]
    return `${head}${blocks.join('\n\n')}\n\n${then}`
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
    see: `svc explain ${shellWord(rule_id)}`,
    accept: `svc suppress --rule ${shellWord(rule_id)} --file ${shellWord(file)} --reason "…"`,
  }
}

function indented(text: string, by: number): string[] {
  return text.split('\n').map(line => (line === '' ? '' : ' '.repeat(by) + line))
}
