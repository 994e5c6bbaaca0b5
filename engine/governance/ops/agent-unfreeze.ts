import { type } from 'arktype'
import { EngineError } from '../../errors.ts'
import { defineOperation } from '../../operation.ts'
import { unfreeze } from '../agents.ts'
import { deskOf } from '../desk.ts'

export default defineOperation({
  id: 'governance.agent-unfreeze',
  summary: 'Take the freeze of an agent, or of all, back.',
  effect: 'write',
  action: 'grant_scope',
  cli: 'agent-unfreeze [name]',
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
    const { state, acting } = await deskOf(context)
    state.write(acting, tx => unfreeze(tx, target))
    return { name: target, frozen: false }
  },

  text: ({ name }) => `${name === '*' ? 'Every agent is' : `${name} is`} not frozen any more.`,
})
