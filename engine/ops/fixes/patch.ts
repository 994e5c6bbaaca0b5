import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { type Finding, SEVERITIES } from '../../base/records/finding.ts'
import { FindingType, SeverityType } from '../../base/records/finding-schema.ts'
import { isOfRule } from '../../base/records/rule-ids.ts'
import type { View } from '../../base/text/view.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { formatFindingLine } from '../../findings/line.ts'
import { findPatchCeiling, isAboveCeiling, loadConfigAbove } from '../../fixes/ceiling.ts'
import { patchFile } from '../../fixes/patch-file.ts'
import { type Fixable, selectFixable } from '../../fixes/plan.ts'
import type { GovernedContext } from '../../governance/context.ts'
import { isContributorRule } from '../../scan/contributions.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { requireRule } from '../../sources/packs/known-rule.ts'
import { runWithStore } from '../../sources/store/open.ts'

const REASONS = ['changed', 'overlaps', 'encoding', 'unreadable', 'unwritable', 'not_permitted'] as const

/** Applies the fixes that the last scan made, as far as the policy lets them through without a human. */
export default defineOperation({
  id: 'fixes.patch',
  summary:
    'Apply the autofixes of the latest scan to the working tree, up to the severity that needs no human approval.',
  effect: 'write',
  action: 'auto_fix_info',
  cli: 'apply-patches',
  rest: null,
  mcp: null,
  input: type({
    dry_run: type('boolean')
      .describe('true to print the changes as a unified diff without applying them')
      .default(false),
    'rule?': type('string[]').describe('rule ids to limit the fixes to'),
    'severity?': type
      .enumerated(...SEVERITIES)
      .array()
      .describe('severities to limit the fixes to'),
    '+': 'reject',
  }),
  output: type({
    run_id: 'string',
    applied: FindingType.array().describe('the findings whose fix was applied, or would be with dry_run'),
    held: type({ finding: FindingType, ceiling: SeverityType.or("'none'") })
      .array()
      .describe('findings whose severity needs human approval'),
    refused: type({ finding: FindingType, reason: type.enumerated(...REASONS), detail: 'string' })
      .array()
      .describe('findings whose fix could not be applied; their files contain only the other fixes'),
    files: type('string[]').describe('the files changed, or to be changed with dry_run'),
    dry_run: 'boolean',
    diff: type('string').describe('the changes as a patch for git apply'),
  }),
  examples: [
    ['svc apply-patches --dry-run', 'preview the changes'],
    ['svc apply-patches', 'apply all fixes'],
    ['svc apply-patches --rule js-debugger-statement', 'apply the fixes of one rule'],
  ],

  async run({ dry_run, rule, severity }, context) {
    const root = findRepositoryRoot(context.cwd)
    const { run_id, findings, sizes } = await runWithStore(context, store => store.fixable('latest'))
    // That a rule that there is not has no fix to apply would be true, and hide the slip.
    for (const id of rule ?? [])
      if (!isContributorRule(id) && !findings.some(finding => isOfRule(finding, id))) await requireRule(root, id)
    const wanted = selectFixable(findings).filter(
      finding => (rule?.some(id => isOfRule(finding, id)) ?? true) && (severity?.includes(finding.severity) ?? true),
    )
    const byFile = new Map<string, Fixable[]>()
    const config = await loadConfigAbove(root, new Set(wanted.map(({ file }) => file)), context.env)
    const held: { finding: Finding; ceiling: ReturnType<typeof findPatchCeiling> }[] = []
    for (const finding of wanted) {
      const ceiling = findPatchCeiling(config, finding.file)
      if (isAboveCeiling(finding.severity, ceiling)) held.push({ finding, ceiling })
      else if (byFile.has(finding.file)) byFile.get(finding.file)!.push(finding)
      else byFile.set(finding.file, [finding])
    }
    const patches = []
    const barred: { finding: Finding; reason: 'not_permitted'; detail: string }[] = []
    for (const [file, wished] of byFile) {
      context.signal.throwIfAborted()
      const fixes: Fixable[] = []
      for (const finding of wished) {
        const change = () => patchFile(root, file, [finding], sizes.get(file), { write: false }).diff
        const detail = dry_run ? undefined : await refusal(context, finding, change)
        if (detail === undefined) fixes.push(finding)
        else barred.push({ finding, reason: 'not_permitted', detail })
      }
      if (fixes.length === 0) continue
      patches.push(patchFile(root, file, fixes, sizes.get(file), { write: !dry_run }))
    }
    const output = {
      run_id,
      applied: patches.flatMap(({ applied }) => applied),
      held,
      refused: [...patches.flatMap(({ refused }) => refused), ...barred],
      files: patches.filter(({ applied }) => applied.length > 0).map(({ file }) => file),
      dry_run,
      diff: patches.map(({ diff }) => diff).join(''),
    }
    // The answer of a dry run is the patch alone, so that it can be piped into git apply.
    if (dry_run) for (const line of remarks(output, plainView)) context.notice(line)
    if (dry_run && output.applied.length === 0)
      context.notice(`No fix to apply: ${formatCount(wanted.length, 'finding')} of run ${run_id} with an autofix.`)
    return output
  },

  text(output, view) {
    const { applied, files, dry_run, diff } = output
    if (dry_run) return diff
    const done =
      applied.length === 0
        ? 'No fix was applied.'
        : `${view.paint('green', 'Applied')} ${formatCount(applied.length, 'fix', 'fixes')} in ${formatCount(files.length, 'file')}.`
    const next = applied.length === 0 ? [] : ['Review them with `git diff`; `svc scan` reports what is left.']
    return [
      done,
      ...applied.map(finding => `  ${formatFindingLine(finding, view)}`),
      ...remarks(output, view),
      ...next,
    ].join('\n')
  },

  // Fixes that were asked for and are not there: a program that goes on must know.
  exit: ({ refused }) => (refused.length > 0 ? 1 : 0),
})

const plainView: Pick<View, 'paint'> = { paint: (_, text) => text }

/** What the guard says of one fix, where it does not permit it. */
async function refusal(
  { permit }: GovernedContext,
  { severity, file }: Finding,
  change: () => string,
): Promise<string | undefined> {
  if (!permit) return undefined
  try {
    const diff = change()
    await permit({ action: `auto_fix_${severity}`, paths: [file], content: diff, diff })
    return undefined
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'FORBIDDEN' || error.code === 'APPROVAL_NEEDED'))
      return `${error.message} ${error.hint}`
    throw error
  }
}

type Output = { held: { finding: Finding; ceiling: string }[]; refused: { finding: Finding; detail: string }[] }

/** What was not applied, and what to do about it. */
function remarks({ held, refused }: Output, view: Pick<View, 'paint'>): string[] {
  const lines: string[] = []
  if (held.length > 0) {
    lines.push(
      `${formatCount(held.length, 'fix requires', 'fixes require')} a manual review (governance.human_review_required.on_auto_patch_above):`,
    )
    for (const { finding, ceiling } of held) lines.push(`  ${formatFindingLine(finding, view)} (above ${ceiling})`)
    lines.push('Apply them by hand, as `svc next-action` shows, or raise the limit in that key.')
  }
  if (refused.length > 0) {
    lines.push(
      `${formatCount(refused.length, 'fix was', 'fixes were')} not applied; scan again where the file has changed:`,
    )
    for (const { finding, detail } of refused) lines.push(`  ${formatFindingLine(finding, view)} (${detail})`)
  }
  return lines
}
