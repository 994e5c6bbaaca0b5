import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { makeChecker } from '../../governance/check.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { listActiveGrants } from '../../governance/grant-life.ts'
import { ActorType, GrantType, SessionType } from '../../governance/record-schema.ts'
import { hideInternals } from '../../governance/text.ts'
import { ACTIONS, type Action } from '../../governance/trust.ts'

export default defineOperation({
  id: 'governance.agent-status',
  summary: 'Show your identity: trust level, session, grants and permitted actions.',
  effect: 'read',
  action: null,
  cli: null,
  rest: null,
  mcp: 'get_agent_status',
  input: type({ '+': 'reject' }),
  output: type({
    actor: ActorType,
    governed: 'boolean',
    permitted: type('string[]').describe('permitted actions'),
    'session?': SessionType,
    grants: GrantType.array(),
  }),

  async run(_input, context) {
    const answers = (Object.keys(ACTIONS) as Action[]).map(await makeChecker(context))
    const { actor, governed } = answers[0]!
    const permitted = answers.filter(answer => answer.permitted).map(({ action }) => action)
    if (!governed) return { actor, governed, permitted, grants: [] }
    const { state, session } = await openGovernance(context)
    const grants = state.read((reader, at) => listActiveGrants(reader, actor.agent, at))
    return { actor, governed, permitted, grants, ...(session && { session: hideInternals(session) }) }
  },

  text: ({ actor, permitted, session, grants }) =>
    [
      `You are ${actor.agent} (${actor.method}) with the trust ${actor.trust_level}.`,
      session
        ? `Session ${session.id}: ${session.intent}; paths ${session.authorized_paths.join(' ')}; until ${session.expires_at}.`
        : 'No task is bound.',
      `Permitted: ${permitted.join(', ') || 'nothing'}.`,
      ...(grants.length > 0
        ? [`Grants: ${grants.map(({ scope, expires_at }) => `${scope} until ${expires_at}`).join(', ')}.`]
        : []),
    ].join('\n'),
})
