import { type } from 'arktype'
import { completeConnection, findOauthKind } from '../../delivery/oauth/connect.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'

/** Where the provider sends the browser back to: the state proves that the connection was begun here, with permission. */
export default defineOperation({
  id: 'delivery.oauth-callback',
  summary: 'Complete an OAuth connection: exchange the code, store the tokens, redirect to the dashboard.',
  effect: 'write',
  action: null,
  // The browser that a provider sends back has no key; the state proves that a request with the key began it.
  open: true,
  cli: null,
  rest: 'GET /oauth/{provider}/callback',
  mcp: null,
  input: type({
    provider: type('string > 0').describe('devops_a, devops_b or devops_c'),
    'code?': type('string').describe('the authorization code'),
    'state?': type('string').describe('the state that the connection was begun with'),
    'error?': type('string').describe('an error of the provider'),
    // What the standards let a provider add.
    'error_description?': type('string').describe('a description of the error, which is not shown'),
    'error_uri?': type('string').describe('an address about the error, which is not followed'),
    'iss?': type('string').describe('the issuer'),
    'scope?': type('string').describe('the scope that was granted'),
    'session_state?': type('string').describe('a session of the provider'),
    '+': 'reject',
  }),
  output: type({ location: 'string', 'cookie?': 'string' }),
  redirects: true,
  run: async ({ provider, code, state, error }, context) => {
    const config = await loadConfig(context.cwd, { env: context.env })
    const answer = {
      ...(code !== undefined && { code }),
      ...(state !== undefined && { state }),
      ...(error !== undefined && { error }),
    }
    return completeConnection(config, findOauthKind(provider), answer, context)
  },
  text: ({ location }) => location,
})
