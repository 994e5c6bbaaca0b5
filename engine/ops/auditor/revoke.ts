import { type } from 'arktype'
import { ShownTokenType } from '../../assure/auditors/schema.ts'
import { revokeTokens } from '../../assure/auditors/tokens.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { refuseAgent } from '../../governance/acting-agent.ts'
import { openGovernance } from '../../governance/governance-session.ts'

/** Revokes tokens at once: the next request with one is refused. */
export default defineOperation({
  id: 'auditor.revoke',
  summary: 'Revoke all tokens of auditors that match a prefix.',
  effect: 'write',
  action: 'grant_scope',
  cli: 'auditor revoke <token_prefix>',
  rest: null,
  mcp: null,
  input: type({ token_prefix: type('string > 0').describe('the prefix of one or more tokens'), '+': 'reject' }),
  output: type({ revoked: ShownTokenType.array() }),
  examples: [['svc auditor revoke Xk2b9QdL', 'revoke the token with this prefix']],

  async run({ token_prefix }, context) {
    refuseAgent(context, 'Revoking a token', 'it takes access from others')
    const { state, acting } = await openGovernance(context)
    return { revoked: state.write(acting, tx => revokeTokens(tx, token_prefix)) }
  },

  text: ({ revoked }) =>
    `Revoked ${formatCount(revoked.length, 'token')}: ${revoked.map(({ prefix, name }) => `${prefix} (${name})`).join(', ')}.`,
})
