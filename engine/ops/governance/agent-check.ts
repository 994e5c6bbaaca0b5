import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { check } from '../../governance/check.ts'
import { ActorType, DecisionType } from '../../governance/record-schema.ts'

/** Tells who acts and whether they may. It asks nobody for permission itself, and makes no records where there are none. */
export default defineOperation({
  id: 'governance.agent-check',
  summary: 'Show the acting agent, and check whether an action is permitted; exit 1 if it is denied.',
  effect: 'read',
  action: null,
  cli: 'agent-check <action>',
  rest: null,
  mcp: null,
  input: type({
    action: type('string > 0').describe('an action, such as run_scan, auto_fix_high or create_pr'),
    '+': 'reject',
  }),
  output: type({
    action: 'string',
    permitted: 'boolean',
    decision: DecisionType,
    reasons: 'string[]',
    actor: ActorType,
    governed: type('boolean').describe('whether governance is enabled'),
  }),
  examples: [
    ['svc agent-check create_pr', 'check whether an action is allowed'],
    ['svc agent-check auto_fix_high --quiet && git apply fix.patch', 'use the exit code in a script'],
  ],

  run: ({ action }, context) => check(action, context),

  text({ action, permitted, decision, reasons, actor }, view) {
    if (view.quiet) return ''
    const word = permitted ? view.paint('green', decision) : view.paint('red', decision)
    const who = `${actor.agent} (${actor.method}, ${actor.trust_level}${actor.session_id ? `, ${actor.session_id}` : ''})`
    return [`${word}: ${action} by ${who}`, ...reasons.map(reason => `  ${reason}`)].join('\n')
  },

  exit: ({ permitted }) => (permitted ? 0 : 1),
})
