import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { listActiveGrants } from '../../governance/grant-life.ts'
import { GrantType } from '../../governance/record-schema.ts'
import { grantLine } from '../../governance/text.ts'
import { covers } from '../../governance/trust.ts'

export default defineOperation({
  id: 'governance.check-grant',
  summary: 'Check whether you have an active grant of a scope.',
  effect: 'read',
  action: null,
  cli: null,
  rest: null,
  mcp: 'check_tool_grant',
  input: type({ scope: type('string > 0').describe('a scope, such as config:write'), '+': 'reject' }),
  output: type({ scope: 'string', granted: 'boolean', 'grant?': GrantType }),

  async run({ scope }, context) {
    const { state, identity } = await openGovernance(context)
    const held =
      identity.credential === 'valid' ? state.read((reader, at) => listActiveGrants(reader, identity.agent, at)) : []
    const grant = held.find(({ scope: has }) => covers([has], scope))
    return { scope, granted: grant !== undefined, ...(grant && { grant }) }
  },

  text: ({ scope, grant }, view) => (grant ? grantLine(grant, view) : `No grant of ${scope}.`),
})
