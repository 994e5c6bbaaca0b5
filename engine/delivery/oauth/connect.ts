import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import type { Config } from '../../sources/config/load.ts'
import { DEVOPS_KINDS, type DevopsKind } from '../providers/names.ts'
import { findClient, openOauthClient } from './client.ts'
import { type StoredTokens, storeTokens } from './store.ts'

/** Where a browser goes next, and the cookie that it keeps. */
export interface Redirect {
  location: string
  cookie?: string
}

/** Connections that were begun: what the callback needs, by state. In memory: a restart of the server ends them. */
const pending = new Map<
  string,
  { kind: DevopsKind; verifier: string; redirect_uri: string; root: string; until: number }
>()
const LIFETIME_MS = 10 * 60_000
const MOST_PENDING = 100

/** The kind of an address; NOT_FOUND for any other. Plain names are taken too. */
export function findOauthKind(name: string): DevopsKind {
  const kind = (Object.keys(DEVOPS_KINDS) as DevopsKind[]).find(one => one === name || DEVOPS_KINDS[one] === name)
  if (kind) return kind
  throw new EngineError('NOT_FOUND', `There is no OAuth provider ${JSON.stringify(name)}.`, {
    hint: `The providers are ${Object.keys(DEVOPS_KINDS).join(', ')}.`,
  })
}

/** Begins a connection: to the provider's login with state and PKCE, the state in a cookie as well. */
export async function beginConnection(config: Config, kind: DevopsKind, context: Context): Promise<Redirect> {
  if (!findClient(config, kind, context.env)) return fail('not_configured')
  const origin = readOrigin(context)
  const { library, configuration, transport, scope } = await openOauthClient(config, kind, context)
  try {
    const [state, verifier] = [library.randomState(), library.randomPKCECodeVerifier()]
    const redirect_uri = `${origin}/oauth/${kind}/callback`
    const location = library.buildAuthorizationUrl(configuration, {
      redirect_uri,
      scope,
      state,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    for (const [key, { until }] of pending) if (until < Date.now() || pending.size >= MOST_PENDING) pending.delete(key)
    pending.set(state, { kind, verifier, redirect_uri, root: config.root, until: Date.now() + LIFETIME_MS })
    return { location: location.href, cookie: makeCookie(kind, state, origin, LIFETIME_MS / 1000) }
  } finally {
    await transport.close()
  }
}

/**
 * Ends a connection. The state must be in the cookie, equal the one of the address, and belong to a connection that was begun here; then the code
 * is exchanged and the tokens are stored. Whatever goes wrong leads to the dashboard with a word that tells nothing of the tokens.
 */
export async function completeConnection(
  config: Config,
  kind: DevopsKind,
  { code, state, error }: { code?: string; state?: string; error?: string },
  context: Context,
): Promise<Redirect> {
  const origin = readOrigin(context)
  const cookie = makeCookie(kind, '', origin, 0)
  const kept = readCookie(context.caller?.cookie, kind)
  if (state === undefined || kept === undefined || !isSame(state, kept)) return fail('invalid_state', cookie)
  const begun = pending.get(state)
  // A code is exchanged once, whatever becomes of it.
  pending.delete(state)
  if (!begun || begun.kind !== kind || begun.root !== config.root || begun.until < Date.now())
    return fail('expired', cookie)
  if (error !== undefined) return fail(/^[a-z_]{1,40}$/.test(error) ? error : 'refused', cookie)
  if (code === undefined) return fail('no_code', cookie)
  const client = await openOauthClient(config, kind, context)
  try {
    const address = new URL(begun.redirect_uri)
    address.searchParams.set('code', code)
    address.searchParams.set('state', state)
    const answer = await client.library.authorizationCodeGrant(client.configuration, address, {
      pkceCodeVerifier: begun.verifier,
      expectedState: state,
    })
    storeTokens(config.root, kind, toStored(answer, client.base_url), context.env)
    return { location: `/dashboard?oauth_success=${kind}`, cookie }
  } catch (failure) {
    if (failure instanceof EngineError) throw failure
    // The library's errors may quote the answer, which can have a token.
    context.notice(
      `The connection with ${DEVOPS_KINDS[kind]} failed: ${(failure as { code?: string }).code ?? 'no answer'}.`,
    )
    return fail('exchange_failed', cookie)
  } finally {
    await client.transport.close()
  }
}

/** What is stored of a token endpoint's answer; a refresh token that is not renewed stays. */
export function toStored(
  answer: { access_token: string; refresh_token?: string; scope?: string; expires_in?: number },
  base_url: string,
  old?: StoredTokens,
): StoredTokens {
  const refresh_token = answer.refresh_token ?? old?.refresh_token
  return {
    access_token: answer.access_token,
    ...(refresh_token !== undefined && { refresh_token }),
    ...(answer.expires_in !== undefined && {
      expires_at: new Date(Date.now() + answer.expires_in * 1000).toISOString(),
    }),
    ...(answer.scope !== undefined && { scope: answer.scope }),
    connected_at: old?.connected_at ?? new Date().toISOString(),
    base_url,
  }
}

function fail(word: string, cookie?: string): Redirect {
  return { location: `/dashboard?oauth_error=${word}`, ...(cookie !== undefined && { cookie }) }
}

/** The server's own address as the browser sees it: GUARD_PUBLIC_URL behind a proxy. */
function readOrigin({ env, caller }: Context): string {
  const named = env.GUARD_PUBLIC_URL
  if (named && URL.canParse(named)) return new URL(named).origin
  const host = caller?.host
  if (!host || !/^[\w.:[\]-]+$/.test(host)) throw new EngineError('BAD_REQUEST', 'The request names no host.')
  return `http://${host}`
}

function makeCookie(kind: DevopsKind, value: string, origin: string, seconds: number): string {
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  return `svc_oauth_${kind}=${value}; Path=/oauth/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`
}

function readCookie(header: string | undefined, kind: DevopsKind): string | undefined {
  const own = (header ?? '')
    .split(';')
    .map(part => part.trim())
    .filter(part => part.startsWith(`svc_oauth_${kind}=`))
  // Two of one name: another site of the host may have set one.
  return own.length === 1 ? own[0]!.slice(own[0]!.indexOf('=') + 1) || undefined : undefined
}

function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
