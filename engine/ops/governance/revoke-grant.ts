import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { revokeGrant } from '../../governance/grants.ts'
import { GrantId, GrantType } from '../../governance/record-schema.ts'
import { grantLine } from '../../governance/text.ts'

export default defineOperation({
  id: 'governance.revoke-grant',
  summary: 'Revoke a grant immediately.',
  effect: 'destroy',
  action: 'grant_scope',
  cli: 'revoke-grant <id>',
  rest: null,
  mcp: null,
  input: type({ id: GrantId, '+': 'reject' }),
  output: type({ grant: GrantType }),
  examples: [['svc revoke-grant GR-0123456789ab', 'end a grant at once']],

  async run({ id }, context) {
    const { state, acting, identity } = await openGovernance(context)
    return { grant: state.write(acting, tx => revokeGrant(tx, id, `revoked by ${identity.agent}`)) }
  },

  text: ({ grant }, view) => grantLine(grant, view),
})
