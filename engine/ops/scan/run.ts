import { type } from 'arktype'
import type { Surface } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import type { Run } from '../../base/records/run.ts'
import { defineOperation } from '../../door/operation.ts'
import { formatHeldBack } from '../../findings/actionable.ts'
import { formatRenewed, renewBaseline, requireRenewal } from '../../findings/renew.ts'
import { findOtherTree, scanAnswer } from '../../scan/answer.ts'
import { ScanChangeInputType } from '../../scan/input-schema.ts'
import { ScanOutputType } from '../../scan/output-schema.ts'
import { formatPart, scanPart } from '../../scan/part.ts'
import { perform } from '../../scan/perform.ts'
import { findUnstored, persist, STORE_ELSEWHERE } from '../../scan/persist.ts'
import { withFilesAhead } from '../../scan/stored-files.ts'
import { formatSummary } from '../../scan/summary.ts'

/** Scans the repository, stores the run and its reports in out/. Finding something is no failure: `gate` judges. */
export default defineOperation({
  id: 'scan.run',
  summary: 'Scan the repository, and write findings and reports to out/.',
  effect: 'write',
  action: 'run_scan',
  weakens: ({ update_baseline, dry_run }) => update_baseline && !dry_run,

  cli: 'scan [repo_path] [...paths]',
  rest: 'POST /scan',
  mcp: 'run_scan',

  examples: [
    ['svc scan', 'scan the current repository'],
    ['svc scan ../other --jobs 4', 'scan another repository on four threads'],
    ['svc scan src/server.ts lib', 'scan a file and a directory'],
    ['svc scan --staged', 'scan staged changes'],
    ['svc scan --git-range origin/main...HEAD', 'scan the changes of a branch'],
    ['git diff | svc scan --diff -', 'scan a patch'],
    ['svc scan --actionable-only', 'only list findings with an available fix'],
    ['svc scan --to-review', 'also list the places that a reviewer must decide'],
    ['svc scan --update-baseline', 'add current findings to the baseline: only new ones fail the gate'],
    ['svc scan --dry-run', 'scan without writing to out/'],
    ['svc scan --shard 2/4', 'scan shard 2 of 4, for svc merge'],
    ['svc scan --json | jq .by_severity', 'print the result as JSON'],
  ],

  input: type({
    '...': ScanChangeInputType,
    actionable_only: type('boolean')
      .describe(
        'true or false: list only open findings that have an autofix, or remediation and a confidence of at least 0.7',
      )
      .default(false),
    'to_review?': type('boolean').describe(
      'true or false: list the places that a reviewer decides on: those of rules of low confidence, and parameters of functions that reach a sink',
    ),
    update_baseline: type('boolean')
      .describe(
        'true or false: update .svc/baseline.json with the open findings, and remove resolved ones; on the command line only',
      )
      .default(false),
    dry_run: type('boolean')
      .describe('true or false: scan without writing files: no run, report, baseline or cache')
      .default(false),
    'shard?': type('string > 0').describe(
      'a shard i/n: scan only the i-th of n parts of the files, to combine with `svc merge`; on the command line only',
    ),
    '+': 'reject',
  }),
  output: ScanOutputType,

  check: (input, { surface }) => refuseContradictions(input, surface),

  async run(input, context) {
    const { dry_run } = input
    refuseContradictions(input, context.surface)
    if (input.shard !== undefined) return scanPart(input, input.shard, context)
    return withFilesAhead(async ahead => {
      const performed = await perform(input, context, dry_run ? {} : { onFiles: ahead.onFiles })
      if (performed.unstaged !== undefined) context.notice(performed.unstaged)
      const baseline = renewBaseline(performed, dry_run)
      const stored = dry_run ? {} : await persist(performed, context, { ahead: ahead.files })
      const { run } = performed
      const answer = scanAnswer(performed, { ...input, baseline, surface: context.surface })
      return {
        ...answer,
        ...stored,
        ...findOtherTree(performed, context),
        ...(dry_run && { dry_run }),
        ...(input.to_review && { to_review: run.to_review ?? [] }),
      }
    })
  },

  text: ({ run, findings, by_rule, held_back, baseline, shard, dry_run, output_dir, tree, to_review }, view) =>
    shard
      ? formatPart(shard)
      : [
          formatSummary(run as Run, findings, view, {
            following: output_dir === undefined ? 'nothing' : 'advice',
            out: output_dir,
            tree,
            by_rule,
            to_review: to_review !== undefined,
          }),
          held_back && formatHeldBack(held_back),
          baseline && formatRenewed(baseline, dry_run),
          dry_run && 'Dry run: nothing was written.',
        ]
          .filter(Boolean)
          .join('\n'),

  problem: output => findUnstored(output, `${STORE_ELSEWHERE} Pass --dry-run to store nothing.`),
})

/** INPUT_INVALID or FORBIDDEN for options that exclude each other, or a baseline that may not be made anew so. */
function refuseContradictions(
  input: Readonly<Record<string, unknown>> & { dry_run: boolean; update_baseline: boolean; shard?: unknown },
  surface: Surface,
): void {
  if (input.shard !== undefined && input.dry_run)
    throw new EngineError('INPUT_INVALID', 'dry_run and shard exclude each other: a shard is scanned to be written.')
  if (input.shard !== undefined && input.to_review)
    throw new EngineError('INPUT_INVALID', 'to_review and shard exclude each other: places to review are not merged.', {
      hint: 'Scan the whole repository with --to-review.',
    })
  if (input.shard === undefined && input.update_baseline) requireRenewal(input, surface)
}
