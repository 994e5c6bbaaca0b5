import type { Context, SignIn } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import type { Config } from '../../sources/config/load.ts'
import { type LoginClient, openLoginClient } from './client.ts'
import { isPassing, makeExpired, nameFailure } from './failure.ts'
import { revokeLogin } from './logout.ts'
import { readLogins, type StoredLogin, writeLogins } from './store.ts'

/** Bounds of what an issuer asks for, in seconds: a code is not waited for longer, and polls are not further apart. */
const LONGEST_WAIT = 3600
const LONGEST_INTERVAL = 60
/** RFC 8628 3.2, where the issuer names no interval. */
const INTERVAL = 5

/** Issuer and client of the configuration. CONFIG_INVALID where one of them is missing. */
export function requireIssuer({ login }: Pick<Config, 'login'>): { issuer: string; client_id: string } {
  const { issuer, client_id } = login
  if (issuer !== undefined && client_id !== undefined) return { issuer, client_id }
  const missing = issuer === undefined ? 'login.issuer' : 'login.client_id'
  throw new EngineError('CONFIG_INVALID', `No login is configured: ${missing} is not set.`, {
    hint: 'Set login.issuer and login.client_id in .svc/config.yaml, or SVC_LOGIN_ISSUER and SVC_LOGIN_CLIENT_ID. Nothing in svc needs a login.',
  })
}

/**
 * Logs in by the device authorization grant (RFC 8628): emits the code, waits until it is confirmed in a browser, stores the tokens. Until
 * then nothing is written, so that an interruption leaves nothing. FORBIDDEN where it is denied or not confirmed in time.
 */
export async function logIn(config: Config, context: Context): Promise<StoredLogin> {
  const asked = requireIssuer(config)
  // A file that cannot be read is told of before the person does anything.
  readLogins(context.env)
  const client = await openLoginClient(asked, context)
  try {
    const login = await authorize(client, { ...asked, scopes: config.login.scopes }, context)
    const known = readLogins(context.env)
    const isSame = (one: StoredLogin) => one.issuer === login.issuer
    writeLogins([...known.filter(one => !isSame(one)), login], context.env)
    // What the new login replaces would else stay valid until it expires.
    for (const old of known.filter(isSame))
      if ((await revokeLogin(old, context)) === 'failed')
        context.notice(`The tokens of the earlier login at ${old.issuer} could not be revoked.`)
    return login
  } finally {
    await client.transport.close()
  }
}

async function authorize(
  client: LoginClient,
  { issuer, client_id, scopes }: { issuer: string; client_id: string; scopes: readonly string[] },
  context: Context,
): Promise<StoredLogin> {
  const { library, configuration } = client
  const asked = { issuer, client_id, signal: context.signal }
  if (!configuration.serverMetadata().device_authorization_endpoint)
    throw new EngineError('CONFIG_INVALID', `${issuer} does not offer the device authorization grant.`, {
      hint: 'Enable it at the issuer (RFC 8628), or name another one in login.issuer.',
    })
  const scope = scopes.join(' ')
  const device = await library
    .initiateDeviceAuthorization(configuration, scope === '' ? {} : { scope })
    .catch(error => Promise.reject(nameFailure(error, 'A code', asked)))
  const seconds = Math.min(device.expires_in, LONGEST_WAIT)
  const expiry = AbortSignal.timeout(seconds * 1000)
  context.emit({ type: 'sign_in', sign_in: describe(issuer, device, seconds) })
  const answer = await poll(client, device, expiry, { ...asked, notice: context.notice })
  const claims = answer.claims()
  const account = typeof claims?.email === 'string' ? claims.email : claims?.sub
  const now = Date.now()
  return {
    issuer,
    client_id,
    ...(account !== undefined && { account }),
    access_token: answer.access_token,
    ...(answer.refresh_token !== undefined && { refresh_token: answer.refresh_token }),
    ...(answer.scope !== undefined && { scope: answer.scope }),
    ...(answer.expires_in !== undefined && { expires_at: new Date(now + answer.expires_in * 1000).toISOString() }),
    logged_in_at: new Date(now).toISOString(),
  }
}

type Device = Awaited<ReturnType<LoginClient['library']['initiateDeviceAuthorization']>>

/** Asks until the code is confirmed, at the issuer's pace. Where it does not answer, the pauses double (RFC 8628 3.5). */
async function poll(
  { library, configuration }: LoginClient,
  device: Device,
  expiry: AbortSignal,
  asked: { issuer: string; client_id: string; signal: AbortSignal; notice: Context['notice'] },
) {
  const signal = AbortSignal.any([asked.signal, expiry])
  // The library looks at the signal only between its pauses, which last as long as the issuer wants.
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  aborted.catch(() => {}) // read by the race alone
  for (let interval = device.interval ?? INTERVAL; ; interval *= 2)
    try {
      const paced = { ...device, interval: Math.min(interval, LONGEST_INTERVAL) }
      return await Promise.race([
        library.pollDeviceAuthorizationGrant(configuration, paced, undefined, { signal }),
        aborted,
      ])
    } catch (error) {
      if (expiry.aborted && !asked.signal.aborted) throw makeExpired(asked.issuer)
      if (asked.signal.aborted || !isPassing(error)) throw nameFailure(error, 'The tokens', asked)
      asked.notice(`${asked.issuer} does not answer; still trying until the code expires.`)
    }
}

/** What the person is shown. An address that no browser should be sent to is refused. */
function describe(issuer: string, device: Device, seconds: number): SignIn {
  const { user_code, verification_uri, verification_uri_complete } = device
  for (const uri of [verification_uri, verification_uri_complete ?? verification_uri])
    if (!URL.canParse(uri) || !['https:', 'http:'].includes(new URL(uri).protocol))
      throw new EngineError('TOOL_MISSING', `${issuer} names an address that is no web page.`, {
        hint: 'Ask whoever runs the issuer.',
      })
  return {
    issuer,
    user_code,
    verification_uri,
    ...(verification_uri_complete !== undefined && { verification_uri_complete }),
    expires_at: new Date(Date.now() + seconds * 1000).toISOString(),
  }
}
