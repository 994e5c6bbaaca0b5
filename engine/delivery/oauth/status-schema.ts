import { type } from 'arktype'

const Connection = type({
  provider: 'string',
  configured: type('boolean').describe('true if a client id is set'),
  connected: type('boolean').describe('true if tokens are stored'),
  'connected_at?': 'string',
  'expires_at?': type('string').describe('when the access token expires'),
  'renewable?': type('boolean').describe('true if it is renewed without a user'),
  'scope?': 'string',
  'base_url?': 'string',
  'problem?': 'string',
})

/** The three connections that the specification names, whether they are configured or not. */
export const ConnectionsType = type({ devops_a: Connection, devops_b: Connection, devops_c: Connection })
