import { type } from 'arktype'
import { EngineError } from '../../errors.ts'
import { defineOperation } from '../../operation.ts'
import { freeze } from '../agents.ts'
import { deskOf } from '../desk.ts'

export default defineOperation({
  id: 'governance.agent-freeze',
  summary: 'Freeze an agent, or all of them: from the next check on everything is refused.',
  effect: 'write',
  action: 'grant_scope',
  cli: 'agent-freeze [name]',
  rest: null,
  mcp: null,
  input: type({
    'name?': type('string > 0').describe('the name of an agent, registered or not'),
    all: type('boolean').describe('true to mean every agent').default(false),
    '+': 'reject',
  }),
  output: type({ name: type('string').describe('the name, or * for all'), frozen: 'boolean' }),

  async run({ name, all }, context) {
    if ((name === undefined) !== all)
      throw new EngineError('INPUT_INVALID', 'Give either the name of an agent or --all.')
    const target = name ?? '*'
    const { state, acting, identity } = await deskOf(context)
    state.write(acting, tx => freeze(tx, target, identity.agent))
    return { name: target, frozen: true }
  },

  text: ({ name }) => `${name === '*' ? 'Every agent is' : `${name} is`} frozen.`,
})
