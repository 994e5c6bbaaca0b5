import { type } from 'arktype'
import { ShownTokenType } from '../../assure/auditors/schema.ts'
import { createToken, parseScopes } from '../../assure/auditors/tokens.ts'
import { defineOperation } from '../../door/operation.ts'
import { refuseAgent } from '../../governance/acting-agent.ts'
import { openGovernance } from '../../governance/governance-session.ts'

/** Makes a token with which an auditor reads for some time. It is printed once, and only its SHA-256 is kept. */
export default defineOperation({
  id: 'auditor.create',
  summary: 'Create a time-limited token for an auditor, and print it once.',
  effect: 'write',
  action: 'grant_scope',
  cli: 'auditor create',
  rest: null,
  mcp: null,
  short: { name: 'n', email: 'e', hours: 'H', port: 'p', scope: 's' },
  input: type({
    name: type('string > 0').describe("the auditor's name"),
    email: type('string > 0').describe("the auditor's e-mail address"),
    hours: type('1 <= number.integer <= 8760').describe('hours until the token expires, 1 to 8760').default(72),
    port: type('1 <= number.integer <= 65535')
      .describe('the port of the dashboard, for the printed address')
      .default(8000),
    scope: type('string > 0')
      .describe('comma-separated scopes (findings, compliance, audit_log, evidence, trends), or all')
      .default('all'),
    '+': 'reject',
  }),
  output: type({
    token: type('string').describe('the token, shown only once'),
    url: type('string').describe('the address of the portal with the token'),
    auditor: ShownTokenType,
  }),
  examples: [
    ['svc auditor create -n "Ada Byron" -e ada@audit.example', 'give access to everything for 72 hours'],
    ['svc auditor create -n "Ada Byron" -e ada@audit.example -H 8 -s findings,trends', 'limit time and scope'],
  ],

  async run({ name, email, hours, port, scope }, context) {
    refuseAgent(context, 'A token for an auditor', 'it gives others access')
    const scopes = parseScopes(scope)
    const { state, acting, actor } = await openGovernance(context)
    const { token, shown } = state.write(acting, tx =>
      createToken(tx, { name: name.trim(), email: email.trim(), hours, scopes, by: actor.agent }),
    )
    return { token, url: `http://localhost:${port}/auditor?token=${token}`, auditor: shown }
  },

  text: ({ token, url, auditor }, { paint }) =>
    [
      `Token of ${auditor.name} (${auditor.scopes.join(', ')}), until ${auditor.expires_at}:`,
      `  ${paint('bold', token)}`,
      `Portal: ${url}`,
      `It is not shown again. Serve the portal with \`svc dashboard\`; revoke it with \`svc auditor revoke ${auditor.prefix}\`.`,
    ].join('\n'),
})
