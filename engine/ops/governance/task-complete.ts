import { type } from 'arktype'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { complete } from '../../governance/complete.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { DecisionType, SessionId, SessionType } from '../../governance/record-schema.ts'
import { formatSession } from '../../governance/text.ts'

export default defineOperation({
  id: 'governance.task-complete',
  summary: 'Complete a task session, after git verification of its changes.',
  effect: 'write',
  action: 'read_findings',
  unbound: true,
  cli: 'task-complete <id>',
  rest: 'POST /api/task-sessions/{id}/complete',
  mcp: 'complete_task',
  input: type({ id: SessionId, '+': 'reject' }),
  output: type({
    session: SessionType,
    completed: 'boolean',
    decision: DecisionType,
    changed: type('string[]').describe('the files changed since the session began'),
    outside: type('string[]').describe('the changed files outside the paths of the session'),
    'approval_id?': 'string',
    'unknown?': type('string').describe('why git verification failed'),
    'tampered?': type('string[]').describe('the tampering found in the governance records, which prevents completion'),
  }),
  examples: [['svc task-complete TS-0123456789ab', 'verify the changes of the task, and complete it']],

  async run({ id }, context) {
    return complete(await openGovernance(context), id, context)
  },

  text({ session, completed, decision, changed, outside, approval_id, unknown, tampered }, view) {
    if (tampered) {
      const why = tampered.map(reason => `  ${view.paint('yellow', reason)}`)
      return [`${view.paint('red', 'Refused')}: the records of governance were changed.`, ...why].join('\n')
    }
    const word = completed
      ? view.paint('green', 'Done')
      : view.paint('red', decision === 'pending' ? 'Pending approval' : 'Refused')
    return [
      `${word}: ${formatCount(changed.length, 'file')} changed, ${outside.length} outside the paths of the task.`,
      ...outside.slice(0, 20).map(path => `  ${view.paint('yellow', path)}`),
      ...(unknown ? [`Not verified: ${unknown}.`] : []),
      ...(approval_id && decision === 'pending'
        ? [`Approval required: \`svc wait-approval ${approval_id}\`, then complete it again.`]
        : []),
      ...(decision === 'refused' ? ['Revert them, or have a user review them: the session stays violated.'] : []),
      ...formatSession(session, view),
    ].join('\n')
  },

  exit: ({ completed }) => (completed ? 0 : 1),
})
