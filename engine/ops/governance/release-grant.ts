import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { getGrant, revokeGrant } from '../../governance/grants.ts'
import { GrantId, GrantType } from '../../governance/record-schema.ts'
import { grantLine } from '../../governance/text.ts'

export default defineOperation({
  id: 'governance.release-grant',
  summary: 'Release one of your own grants.',
  effect: 'write',
  action: 'read_findings',
  unbound: true,
  cli: null,
  rest: null,
  mcp: 'release_tool_grant',
  input: type({ id: GrantId, '+': 'reject' }),
  output: type({ grant: GrantType }),

  async run({ id }, context) {
    const { state, acting, identity } = await openGovernance(context)
    return {
      grant: state.write(acting, tx => {
        const { agent } = getGrant(tx, id)
        if (!identity.person && (agent !== identity.agent || identity.credential !== 'valid'))
          throw new EngineError('FORBIDDEN', `${id} is a grant of ${agent}, not yours.`)
        return revokeGrant(tx, id, 'released')
      }),
    }
  },

  text: ({ grant }, view) => grantLine(grant, view),
})
