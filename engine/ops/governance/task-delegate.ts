import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { listChain } from '../../governance/chain.ts'
import { delegate } from '../../governance/delegation.ts'
import { issueToken } from '../../governance/delegation-token.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { DelegationType, PathGlob, Seconds, SessionId, SessionType, TrustType } from '../../governance/record-schema.ts'
import { formatSession, hideInternals } from '../../governance/text.ts'

export default defineOperation({
  id: 'governance.task-delegate',
  summary: 'Delegate a subtask to another agent, limited to your own trust level, paths and time.',
  effect: 'write',
  action: 'read_findings',
  cli: 'task-delegate <task>',
  rest: 'POST /api/task-sessions/delegate',
  mcp: 'delegate_task',
  input: type({
    task: type('0 < string <= 2000').describe('a description of the subtask'),
    parent: SessionId,
    'trust?': TrustType,
    'agent?': type('0 < string <= 200').describe('the agent of the subtask (default: the agent of the parent session)'),
    path: PathGlob.array()
      .atMostLength(200)
      .describe('globs that further restrict the paths of the parent session')
      .default(() => []),
    'ttl?': Seconds('until the session ends (at the latest with the parent)'),
    token: type('boolean')
      .describe('true to print a signed token, to verify the delegation on another machine')
      .default(false),
    '+': 'reject',
  }),
  output: type({ delegation: DelegationType, session: SessionType, 'token?': 'string' }),
  examples: [
    [
      'svc task-delegate "write the tests" --parent TS-0123456789ab --trust fix:low --path "test/**"',
      'delegate part of a task',
    ],
  ],

  async run({ path, token, ...handover }, context) {
    const governance = await openGovernance(context)
    const { delegation, session } = governance.state.write(governance.acting, tx =>
      delegate(tx, governance, { ...handover, paths: path }),
    )
    if (!token) return { delegation, session: hideInternals(session) }
    const [, ...above] = governance.state.read(reader => listChain(reader, session))
    const signed = issueToken(context.env, delegation, above)
    return { delegation, session: hideInternals(session), token: signed }
  },

  text: ({ delegation, session, token }, view) =>
    [`${delegation.id}: depth ${delegation.depth}`, ...formatSession(session, view), ...(token ? [token] : [])].join(
      '\n',
    ),
})
