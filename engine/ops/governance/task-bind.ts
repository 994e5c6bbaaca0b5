import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { getStart } from '../../governance/recheck.ts'
import { PathGlob, Seconds, SessionType } from '../../governance/record-schema.ts'
import { bindSession, refuseForeign } from '../../governance/sessions.ts'
import { formatSession, hideInternals } from '../../governance/text.ts'

export default defineOperation({
  id: 'governance.task-bind',
  summary: 'Bind a task session to an intent and to the paths that it may change.',
  effect: 'write',
  action: 'read_findings',
  unbound: true,
  cli: 'task-bind <intent>',
  rest: 'POST /api/task-sessions',
  mcp: 'bind_task',
  input: type({
    intent: type('0 < string <= 2000').describe('a description of the task'),
    path: PathGlob.array()
      .atMostLength(200)
      .describe('globs of paths that the task may change; !glob excludes paths')
      .default(() => []),
    'work_item?': type('0 < string <= 500').describe('a work item id'),
    'ttl?': Seconds('until the session ends (at most governance.task_binding.auto_expire_seconds)'),
    'agent?': type('0 < string <= 200').describe('the agent of the task, if a human user binds it'),
    '+': 'reject',
  }),
  output: type({ session: SessionType }),
  examples: [
    ['svc task-bind "fix the login form" --path "src/auth/**" --path "test/auth/**"', 'declare a task and its paths'],
  ],

  async run({ path, ...binding }, context) {
    if (path.length === 0) {
      throw new EngineError('INPUT_INVALID', 'A task needs the paths that it may change.', {
        hint: 'Name them with --path, as often as needed: --path "src/**".',
      })
    }
    const governance = await openGovernance(context)
    refuseForeign(governance, binding.agent)
    const start = await getStart(governance.root, context)
    const session = governance.state.write(governance.acting, tx =>
      bindSession(tx, governance, { ...binding, paths: path }, start),
    )
    return { session: hideInternals(session) }
  },

  text: ({ session }, view) => formatSession(session, view).join('\n'),
})
