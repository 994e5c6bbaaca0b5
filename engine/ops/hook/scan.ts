import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import { FindingType, SeverityType } from '../../base/records/finding-schema.ts'
import { LedgerType } from '../../base/records/ledger-schema.ts'
import type { PartlyReason, SkipReason, SourceFile } from '../../base/records/source-file.ts'
import { defineOperation } from '../../door/operation.ts'
import { selectFixable } from '../../fixes/plan.ts'
import { isPolicyFinding } from '../../gate/change/policy-rules.ts'
import { blocks } from '../../gate/decide.ts'
import { GateFailureType } from '../../gate/decision-schema.ts'
import { decideOn } from '../../gate/verdict.ts'
import { type PreCommitRecord, RECORD_FILE, writeRecord } from '../../hook/record.ts'
import { formatHookVerdict } from '../../hook/verdict-text.ts'
import { perform } from '../../scan/perform.ts'
import { formatOutput, locateOutput } from '../../sources/store/output-directory.ts'

/** Reasons for which a file was not looked at that say nothing good of it. */
const UNKNOWN: ReadonlySet<SkipReason | PartlyReason> = new Set([
  'too_large',
  'unreadable',
  'undecodable',
  'timed_out',
  'crashed',
  'archive_part',
  'archive_damaged',
  'lfs_pointer',
  'symlink',
  'submodule_changed',
  'nested_repository',
])

/** Judges what a commit would introduce. Nothing is stored but the record for `fix-hook`; a clean commit prints nothing. */
export default defineOperation({
  id: 'hook.scan',
  summary: 'Scan staged files; exit 1 with remediation steps if the commit is blocked.',
  effect: 'write',
  action: 'run_gate',
  cli: 'pre-commit-scan',
  rest: null,
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    passed: 'boolean',
    files: type('number.integer').describe('the number of staged files scanned'),
    fail_on: SeverityType.array().describe('the severities that block a commit'),
    'outside?': type('string[]').describe(
      'messages about changes outside the paths of a task session, which block the commit',
    ),
    'unstaged?': type('string').describe(
      'a message about settings that differ between the disk and the index; the index applies',
    ),
    blocking: FindingType.array().describe('the findings that block the commit'),
    failures: GateFailureType.array().describe('further reasons for the block, with their resolution'),
    'weakened?': FindingType.array().describe(
      'settings that the commit weakens; the gate fails until a reviewer approves them',
    ),
    others: FindingType.array().describe('findings that the commit introduces without being blocked'),
    fixable: type('number.integer').describe('the number of findings that `svc fix-hook` can fix'),
    unread: type('string[]').describe(
      'messages about staged source files that could not be scanned; they block the commit unless gate.unread allows them',
    ),
    ledger: LedgerType.describe('the number of staged files by state'),
    unknown: type('string[]').describe('messages about what could not be evaluated'),
    record: type('string').describe('the file that contains the findings with their fixes'),
  }),
  examples: [['svc pre-commit-scan', 'scan staged changes as the commit hook does']],

  async run(_input, context) {
    const isCommitter = async () =>
      (await import('../../governance/acting-agent.ts')).actingAgent(context) === undefined
    const performed = await perform({ repo_path: '.', staged: true, isCommitter }, context)
    const { findings, config, root, run, listed, unread, unstaged } = performed
    const failOn = (file: string) => config.for(file).gate.fail_on
    const open = findings.filter(({ status }) => status === 'open')
    const blocking = open.filter(finding => blocks(finding, failOn))
    const mendable = selectFixable(open)
    const record: PreCommitRecord = {
      version: 1,
      scanned_at: run.finished_at,
      blobs: stagedBlobs(listed(), mendable),
      findings: open,
    }
    const out = locateOutput(root, context.env, config.output_dir)
    try {
      writeRecord(out, record)
    } catch (error) {
      // The judgement does not depend on it: a commit is not blocked because a disk is full.
      if (!(error instanceof EngineError)) throw error
      context.notice(`${error.message} \`svc fix-hook\` cannot use this scan.`)
    }
    const isUnread = new Set(unread.map(({ path }) => path))
    const outside = context.governance || context.held ? await governanceReasons(context) : []
    // The gate's own decision, so that it never fails on what the hook lets through. Findings have their own hints.
    const failures = decideOn(performed).failures.filter(({ kind }) => kind !== 'findings')
    const weakened = findings.filter(finding => isPolicyFinding(finding) && finding.status === 'suppressed')
    return {
      passed: blocking.length === 0 && outside.length === 0 && failures.length === 0,
      files: run.counts.files,
      fail_on: config.gate.fail_on,
      blocking: blocking.filter(finding => !isPolicyFinding(finding)),
      failures,
      ...(weakened.length > 0 && { weakened }),
      ...(outside.length > 0 && { outside }),
      ...(unstaged !== undefined && { unstaged }),
      others: open.filter(finding => !blocks(finding, failOn)),
      fixable: mendable.length,
      unread: unread
        .filter(({ isBuilt }) => !isBuilt)
        .map(
          ({ path, reason, detail }) =>
            `${path} was not searched as source code: ${detail ?? reason.replaceAll('_', ' ')}`,
        ),
      ledger: run.ledger!,
      unknown: [
        ...run.skipped
          .filter(({ path, reason }) => UNKNOWN.has(reason) && !isUnread.has(path))
          .map(({ path, reason, detail }) => `${path} was not scanned: ${detail ?? reason.replaceAll('_', ' ')}.`),
        ...(run.partly ?? [])
          .filter(({ path, reason }) => UNKNOWN.has(reason) && !isUnread.has(path))
          .map(({ path, reason, detail }) => `${path} was partly scanned: ${detail ?? reason.replaceAll('_', ' ')}.`),
        ...run.not_evaluated.map(
          ({ rule_id, file, reason }) =>
            `${rule_id} was not evaluated${file ? ` in ${file}` : ''}: ${reason.replaceAll('_', ' ')}.`,
        ),
      ],
      record: `${formatOutput(root, out)}/${RECORD_FILE}`,
    }
  },

  text: (output, view) => formatHookVerdict(output, view),

  exit: ({ passed }) => (passed ? 0 : 1),
})

/** Why governance fails the commit; loaded only where the repository is governed. */
async function governanceReasons(context: Context): Promise<string[]> {
  return (await import('../../governance/gate-hold.ts')).listGovernanceReasons(context)
}

/** Object ids of what was scanned of the files of these findings, so that fixing can tell whether it is still the same. */
function stagedBlobs(listed: readonly SourceFile[], findings: readonly { file: string }[]): Record<string, string> {
  const wanted = new Set(findings.map(({ file }) => file))
  return Object.fromEntries(
    listed.flatMap(({ path, blob }) => (blob !== undefined && wanted.has(path) ? [[path, blob]] : [])),
  )
}
