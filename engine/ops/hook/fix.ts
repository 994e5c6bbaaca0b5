import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { FindingType } from '../../base/records/finding-schema.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { formatFindingLine } from '../../findings/line.ts'
import { fixStaged, type StagedFile } from '../../hook/fix-staged.ts'
import { callFor } from '../../hook/index-file.ts'
import { readRecord, writeRecord } from '../../hook/record.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { resolveOutputDirectory } from '../../sources/store/output-directory.ts'

const REASONS = ['changed', 'overlaps', 'encoding', 'not_staged', 'conflict', 'not_a_file', 'protected'] as const

/** Mends what the last pre-commit scan found, in the index, and leaves alone whatever is changed and not staged. */
export default defineOperation({
  id: 'hook.fix',
  summary: 'Apply the autofixes of the last pre-commit scan to staged files; unstaged changes stay unchanged.',
  effect: 'write',
  action: 'auto_fix_low',
  cli: 'fix-hook',
  rest: null,
  mcp: null,
  input: type({
    dry_run: type('boolean')
      .describe('true to print the changes as a unified diff without applying them')
      .default(false),
    '+': 'reject',
  }),
  output: type({
    dry_run: 'boolean',
    fixed: type('number.integer').describe('the number of findings fixed, or to be fixed with dry_run'),
    left: type('number.integer').describe('the number of findings of that scan without a fix'),
    files: type({
      file: 'string',
      applied: FindingType.array(),
      refused: type({ finding: FindingType, reason: type.enumerated(...REASONS), detail: 'string' }).array(),
      working_file: type
        .enumerated('updated', 'absent', 'untouched')
        .configure({ description: 'the outcome for the working file' }, 'self'),
      'detail?': type('string').describe('why the working file stayed unchanged'),
      diff: type('string').describe('the changes to the staged files'),
    }).array(),
  }),
  examples: [
    ['svc fix-hook --dry-run', 'preview the fixes'],
    ['svc fix-hook', 'apply the fixes and stage them'],
  ],

  async run({ dry_run }, { cwd, env, signal, notice }) {
    const root = findRepositoryRoot(cwd)
    const out = await resolveOutputDirectory({ cwd, env })
    const record = readRecord(out)
    const files = await fixStaged(root, record, callFor(root, env, signal), { write: !dry_run })
    if (!dry_run && files.some(({ applied }) => applied.length > 0)) {
      try {
        writeRecord(out, withoutFixed(record, files))
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        notice(error.message)
      }
    }
    return {
      dry_run,
      fixed: files.reduce((sum, { applied }) => sum + applied.length, 0),
      left: record.findings.filter(({ fix }) => !fix).length,
      files,
    }
  },

  text({ dry_run, fixed, left, files }, view) {
    if (dry_run) return files.map(({ diff }) => diff).join('')
    const { paint } = view
    const refused = files.flatMap(file => file.refused)
    const lines = [
      fixed === 0
        ? 'Nothing was fixed.'
        : `${paint('green', 'Fixed')} ${formatCount(fixed, 'finding')} in the staged content:`,
    ]
    for (const { file, applied, working_file, detail } of files) {
      for (const finding of applied) lines.push(`  ${formatFindingLine(finding, view)}`)
      if (applied.length > 0 && working_file === 'untouched') {
        lines.push(paint('yellow', `  The working file ${file} is unchanged. ${detail} Apply the change there too.`))
      }
    }
    if (refused.length > 0) {
      lines.push(`${formatCount(refused.length, 'finding was', 'findings were')} not fixed:`)
      for (const { finding, detail } of refused) lines.push(`  ${formatFindingLine(finding, view)} (${detail})`)
    }
    if (left > 0) lines.push(`${formatCount(left, 'finding has', 'findings have')} no autofix: fix by hand.`)
    if (fixed > 0) lines.push('See the change with `git diff --cached`, then commit.')
    else if (refused.length > 0) lines.push('Stage them (`git add`) and run `svc pre-commit-scan` again.')
    return lines.join('\n')
  },

  // What was asked for is not done: a script that goes on to commit must know.
  exit: ({ files }) => (files.some(({ refused }) => refused.length > 0) ? 1 : 0),
})

/** The record without the files that were fixed: what else was found in them may stand elsewhere now. */
function withoutFixed(record: ReturnType<typeof readRecord>, files: readonly StagedFile[]): typeof record {
  const fixed = new Set(files.filter(({ applied }) => applied.length > 0).map(({ file }) => file))
  return {
    ...record,
    blobs: Object.fromEntries(Object.entries(record.blobs).filter(([file]) => !fixed.has(file))),
    findings: record.findings.filter(({ file }) => !fixed.has(file)),
  }
}
