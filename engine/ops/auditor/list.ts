import { type } from 'arktype'
import { ShownTokenType } from '../../assure/auditors/schema.ts'
import { listTokens } from '../../assure/auditors/tokens.ts'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'

/** The tokens that open something now, or all that there were. */
export default defineOperation({
  id: 'auditor.list',
  summary: 'List the active tokens of auditors.',
  effect: 'read',
  action: 'read_audit',
  cli: 'auditor list',
  rest: null,
  mcp: null,
  input: type({
    all: type('boolean').describe('true or false: also list expired and revoked tokens').default(false),
    '+': 'reject',
  }),
  output: type({ auditors: ShownTokenType.array() }),
  examples: [['svc auditor list', 'show name, e-mail address, expiry and prefix']],

  async run({ all }, context) {
    const { state } = await openGovernance(context)
    return { auditors: state.read((reader, at) => listTokens(reader, at, all)) }
  },

  text({ auditors }, { paint }) {
    if (auditors.length === 0) return 'There is no active token.'
    return auditors
      .map(({ prefix, name, email, scopes, expires_at, revoked_at }) => {
        const end =
          revoked_at === null
            ? `until ${expires_at.slice(0, 16)}Z`
            : paint('yellow', `revoked ${revoked_at.slice(0, 16)}Z`)
        return `${paint('bold', prefix)}  ${name} <${email}>  ${end}  ${paint('dim', scopes.join(', '))}`
      })
      .join('\n')
  },
})
