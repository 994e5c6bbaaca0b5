import { type } from 'arktype'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { SessionId, SessionType } from '../../governance/record-schema.ts'
import { rollBack, undo } from '../../governance/rollback/rollback.ts'
import { formatSession, hideInternals } from '../../governance/text.ts'

/** Files and commits listed for a person. */
const LISTED = 50

export default defineOperation({
  id: 'governance.task-rollback',
  summary: 'Roll back the working tree to the start of a task session; a snapshot allows undo.',
  effect: 'write',
  action: 'auto_fix_low',
  unbound: true,
  cli: 'task-rollback <id>',
  rest: 'POST /api/task-sessions/rollback',
  mcp: 'rollback_task',
  input: type({
    id: SessionId,
    dry_run: type('boolean').describe('true to show the changes without applying them').default(false),
    apply: type('boolean')
      .describe('true to apply the rollback despite governance.rollback.dry_run_by_default')
      .default(false),
    force: type('boolean')
      .describe('true to continue even if changes or commits of others would be lost; requires a human user')
      .default(false),
    undo: type('boolean').describe('true to undo the latest rollback of this session').default(false),
    '+': 'reject',
  }),
  output: type({
    session: SessionType,
    outcome: type
      .enumerated('planned', 'rolled_back', 'undone', 'pending')
      .configure({ description: 'the outcome of the rollback' }, 'self'),
    'to?': type('string | null').describe('the target commit of the rollback'),
    'commits?': type({ sha: 'string', author: 'string', subject: 'string', own: 'boolean' }).array(),
    'files?': type({ path: 'string', does: "'restore' | 'remove'" }).array(),
    'notes?': type('string[]').describe('what stays unchanged'),
    'obstacles?': type('string[]').describe('changes of others that the rollback would lose'),
    'snapshot?': type('string').describe('the git ref of the snapshot taken before the rollback'),
    'approval_id?': type('string').describe('the pending approval request'),
  }),
  examples: [
    ['svc task-rollback TS-0123456789ab --dry-run', 'preview the files and commits to roll back'],
    ['svc task-rollback TS-0123456789ab --undo', 'undo the rollback'],
  ],

  async run({ id, dry_run, apply, force, undo: isUndo }, context) {
    const governance = await openGovernance(context)
    const dry = dry_run || (governance.policy.rollback.dry_run_by_default && !apply)
    const done = isUndo
      ? await undo(governance, id, context)
      : await rollBack(governance, id, { dry_run: dry, force }, context)
    const { plan, session, ...rest } = done
    return {
      ...rest,
      session: hideInternals(session),
      ...(plan && {
        to: plan.target,
        commits: plan.commits,
        files: [
          ...[...plan.restore, ...Object.keys(plan.rewrite)].map(path => ({ path, does: 'restore' as const })),
          ...plan.remove.map(path => ({ path, does: 'remove' as const })),
        ],
        notes: plan.notes,
        obstacles: plan.obstacles,
      }),
    }
  },

  text({ session, outcome, to, commits = [], files = [], notes = [], obstacles = [], snapshot, approval_id }, view) {
    const words = {
      planned: 'Would be reset',
      rolled_back: 'Rolled back',
      undone: 'Restored',
      pending: 'Pending approval',
    }
    const mark = { restore: view.paint('yellow', 'restore'), remove: view.paint('red', 'remove ') }
    return [
      `${view.paint('bold', words[outcome])}${to === undefined ? '' : ` to ${to?.slice(0, 12) ?? 'before the first commit'}: ${formatCount(commits.length, 'commit')}, ${formatCount(files.length, 'file')}`}.`,
      ...commits
        .slice(0, LISTED)
        .map(
          ({ sha, author, subject, own }) =>
            `  ${sha.slice(0, 12)} ${author}: ${subject}${own ? '' : view.paint('red', ' (not the session’s)')}`,
        ),
      ...files.slice(0, LISTED).map(({ path, does }) => `  ${mark[does]} ${escapeInvisibleLine(path)}`),
      ...(files.length > LISTED ? [`  and ${files.length - LISTED} more files`] : []),
      ...obstacles.map(text => view.paint('red', `Blocked by: ${text}.`)),
      ...notes.map(text => view.paint('dim', `Note: ${text}.`)),
      ...(outcome === 'rolled_back'
        ? [`Saved as ${snapshot}; \`svc task-rollback ${session.id} --undo\` restores it.`]
        : []),
      ...(approval_id ? [`Approval required: \`svc wait-approval ${approval_id}\`, then roll back again.`] : []),
      ...formatSession(session, view),
    ].join('\n')
  },

  exit: ({ outcome, obstacles = [] }) =>
    outcome === 'pending' || (outcome === 'planned' && obstacles.length > 0) ? 1 : 0,
})
