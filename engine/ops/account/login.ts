import { type } from 'arktype'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { logIn, requireIssuer } from '../../delivery/login/login.ts'
import { readLogins } from '../../delivery/login/store.ts'
import { defineOperation } from '../../door/operation.ts'
import { refuseAgent } from '../../governance/acting-agent.ts'
import { loadConfig } from '../../sources/config/load.ts'

const Output = type({
  logged_in: 'boolean',
  issuer: 'string',
  'account?': type('string').describe('the e-mail address or the id that the issuer gives'),
  'scope?': 'string',
  'logged_in_at?': 'string',
  'expires_at?': type('string').describe('the end of the access token'),
  'expired?': type('boolean').describe('whether the access token has expired'),
  'renewable?': type('boolean').describe('whether there is a refresh token'),
})

/** Signs a person in at the configured issuer. The answer never has a token. */
export default defineOperation({
  id: 'account.login',
  summary: 'Log in with an OAuth issuer by a code that you confirm in a browser.',
  effect: 'write',
  action: ({ status }) => (status ? 'read_findings' : 'edit_config'),
  cli: 'login',
  rest: null,
  mcp: null,
  input: type({
    status: type('boolean').describe('show the login, and change nothing').default(false),
    '+': 'reject',
  }),
  output: Output,
  examples: [
    ['svc login', 'print a code and an address, and wait until the code is confirmed'],
    ['svc login --status', 'show who is logged in'],
  ],

  check: async ({ status }, context) => {
    if (!status) refuseAgent(context, 'login', "it is done in a user's name")
    requireIssuer(await loadConfig(context.cwd, { env: context.env }))
  },

  async run({ status }, context): Promise<typeof Output.infer> {
    if (!status) refuseAgent(context, 'login', "it is done in a user's name")
    const config = await loadConfig(context.cwd, { env: context.env })
    const { issuer } = requireIssuer(config)
    const login = status ? readLogins(context.env).find(one => one.issuer === issuer) : await logIn(config, context)
    if (!login) return { logged_in: false, issuer }
    const { access_token: _, refresh_token, client_id: __, ...shown } = login
    const expired = shown.expires_at !== undefined && Date.parse(shown.expires_at) <= Date.now()
    return { logged_in: true, ...shown, expired, renewable: refresh_token !== undefined }
  },

  text: ({ logged_in, issuer, account, expires_at, expired, renewable }, { paint }) => {
    const where = escapeInvisibleLine(issuer)
    if (!logged_in) return `${paint('yellow', 'Not logged in')} at ${where}. Run \`svc login\`.`
    const name = account === undefined ? '' : ` as ${escapeInvisibleLine(account)}`
    const end =
      expires_at === undefined
        ? ''
        : `\nThe access token ${expired ? 'expired at' : 'is valid until'} ${expires_at}${renewable ? ', and can be renewed' : ''}.`
    return `${paint('green', 'Logged in')} at ${where}${name}.${end}`
  },
  exit: ({ logged_in }) => (logged_in ? 0 : 1),
})
