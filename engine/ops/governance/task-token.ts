import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { addSeconds } from '../../governance/approvals.ts'
import { exportPublicKey, narrowToken, verifyToken } from '../../governance/delegation-token.ts'
import { Seconds, TrustType } from '../../governance/record-schema.ts'

/** Verifies a delegation token where the records are not, and hands on a narrower one. */
export default defineOperation({
  id: 'governance.task-token',
  summary: 'Verify or restrict a delegation token; without a token, print your public key.',
  effect: 'read',
  action: null,
  cli: 'task-token [token]',
  rest: null,
  mcp: null,
  input: type({
    'token?': type('string > 0').describe('a token from `svc task-delegate --token`'),
    'key?': type('string > 0').describe('a PEM file with the public key of the delegator (default: your own key)'),
    narrow: type('boolean').describe('true to print a restricted token').default(false),
    'agent?': type('string > 0').describe('the agent of the restricted token'),
    'trust?': TrustType,
    path: type('string > 0')
      .array()
      .atMostLength(200)
      .describe('globs that the restricted token is limited to')
      .default(() => []),
    'ttl?': Seconds('until the restricted token expires'),
    '+': 'reject',
  }),
  output: type({
    'public_key?': 'string',
    'rights?': type({
      agents: 'string[]',
      delegation_id: 'string',
      session_id: 'string',
      trust_level: TrustType,
      paths: type('string[]').array().describe('lists of globs; every list must permit a path'),
      expires_at: 'string',
    }),
    'token?': type('string').describe('the restricted token'),
  }),

  run({ token, key, narrow, agent, trust, path, ttl }, { cwd, env }) {
    if (token === undefined) return { public_key: exportPublicKey(env) }
    const publicKey = keyOf(key === undefined ? exportPublicKey(env) : read(cwd, key))
    const at = new Date().toISOString()
    const rights = verifyToken(token, publicKey, at)
    if (!narrow) return { rights }
    const less = narrowToken(token, {
      ...(agent !== undefined && { agent }),
      ...(trust !== undefined && { trust_level: trust }),
      ...(path.length > 0 && { paths: path }),
      ...(ttl !== undefined && { expires_at: addSeconds(at, ttl) }),
    })
    return { rights: verifyToken(less, publicKey, at), token: less }
  },

  text({ public_key, rights, token }) {
    if (public_key) return public_key
    const paths = rights!.paths.map(list => list.join(' ')).join(' and ')
    return [
      ...(token ? [token] : []),
      `The token is valid: ${rights!.agents.join(' → ')}, trust ${rights!.trust_level}, paths ${paths}, until ${rights!.expires_at}.`,
    ].join('\n')
  },
})

function read(cwd: string, name: string): string {
  try {
    return readFileSync(resolve(cwd, name), 'utf8')
  } catch (error) {
    throw new EngineError('NOT_FOUND', `The key ${name} cannot be read.`, { cause: error })
  }
}

function keyOf(pem: string): ReturnType<typeof createPublicKey> {
  try {
    const key = createPublicKey(pem)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Said below.
  }
  throw new EngineError('INPUT_INVALID', 'The key is not an Ed25519 public key in PEM.')
}
