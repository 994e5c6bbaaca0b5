import { type } from 'arktype'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { logOut } from '../../delivery/login/logout.ts'
import { defineOperation } from '../../door/operation.ts'
import { refuseAgent } from '../../governance/acting-agent.ts'
import { loadConfig } from '../../sources/config/load.ts'

const SAYS = {
  revoked: 'the tokens were revoked and removed',
  unsupported: 'the tokens were removed here; the issuer cannot revoke them, so they are valid until they expire',
  failed: 'the tokens were removed here, but not revoked: end the session in your account at the issuer',
} as const

/** Ends logins: removes the tokens, and revokes them where the issuer can. */
export default defineOperation({
  id: 'account.logout',
  summary: 'Log out: revoke and remove the tokens of the login.',
  effect: 'write',
  cli: 'logout',
  rest: null,
  mcp: null,
  input: type({
    all: type('boolean')
      .describe('end every login of this user, not only the one at the configured issuer')
      .default(false),
    '+': 'reject',
  }),
  output: type({
    ended: type({
      issuer: 'string',
      revocation: type("'revoked' | 'unsupported' | 'failed'").configure(
        { description: 'revoked, unsupported or failed' },
        'self',
      ),
    }).array(),
    unreadable: type('boolean').describe('whether tokens were removed that could not be decrypted, and so not revoked'),
  }),
  examples: [
    ['svc logout', 'end the login at the configured issuer, or every login where none is configured'],
    ['svc logout --all', 'end every login'],
  ],

  check: (_input, context) => refuseAgent(context, 'logout', "it is done in a user's name"),

  async run({ all }, context) {
    refuseAgent(context, 'logout', "it is done in a user's name")
    if (all) return logOut(undefined, context)
    return logOut((await loadConfig(context.cwd, { env: context.env })).login.issuer, context)
  },

  text: ({ ended, unreadable }, { paint }) => {
    if (unreadable) return `${paint('yellow', 'Removed')} tokens that could not be decrypted; they were not revoked.`
    if (ended.length === 0) return 'There was no login.'
    return ended
      .map(({ issuer, revocation }) => `Logged out at ${escapeInvisibleLine(issuer)}: ${SAYS[revocation]}.`)
      .join('\n')
  },
  exit: ({ ended, unreadable }) => (unreadable || ended.some(({ revocation }) => revocation === 'failed') ? 69 : 0),
})
