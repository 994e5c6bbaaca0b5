import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { listChain } from '../../governance/chain.ts'
import { delegate } from '../../governance/delegation.ts'
import { issueToken } from '../../governance/delegation-token.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { DelegationType, Seconds, SessionId, SessionType, TrustType } from '../../governance/record-schema.ts'
import { formatSession, hideInternals } from '../../governance/text.ts'

export default defineOperation({
  id: 'governance.task-delegate',
  summary: 'Hand a sub-task to another agent, with no more trust, paths and time than you have.',
  effect: 'write',
  action: 'read_findings',
  cli: 'task-delegate <task>',
  rest: 'POST /api/task-sessions/delegate',
  mcp: 'delegate_task',
  input: type({
    task: type('0 < string <= 2000').describe('what the sub-task is, in words'),
    parent: SessionId,
    'trust?': TrustType,
    'agent?': type('string > 0').describe('the agent that works on it; the one of the parent where left out'),
    path: type('string > 0')
      .array()
      .atMostLength(200)
      .describe("globs that narrow the parent's paths further")
      .default(() => []),
    'ttl?': Seconds('it ends after them, and with the parent at the latest'),
    token: type('boolean')
      .describe('true to print a signed token that proves the delegation on another machine')
      .default(false),
    '+': 'reject',
  }),
  output: type({ delegation: DelegationType, session: SessionType, 'token?': 'string' }),
  examples: [
    [
      'svc task-delegate "write the tests" --parent TS-0123456789ab --trust fix:low --path "test/**"',
      'hand over a part',
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
