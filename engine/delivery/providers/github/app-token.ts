import { createPrivateKey, createSign, type KeyObject } from 'node:crypto'
import { ignoreUnreadable, readOwn } from '../../../base/disk/own-folder.ts'
import { EngineError } from '../../../base/errors.ts'
import { ProviderFailure } from '../failure.ts'
import type { ProviderSettings } from '../settings.ts'
import type { Token } from '../tokens.ts'
import { openTransport, type TransportOptions } from '../transport.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The app's id or client id; with it the app is used, and no other token. */
const APP_VARIABLE = 'GUARD_GITHUB_APP_ID'
const KEY_VARIABLE = 'GUARD_GITHUB_APP_PRIVATE_KEY'
const INSTALLATION_VARIABLE = 'GUARD_GITHUB_APP_INSTALLATION_ID'
const MOST_KEY = 64 * 1024
/** GitHub takes a signed request for ten minutes, and clocks differ. */
const LIFETIME_S = 540
const EARLIER_S = 60

/**
 * A token of an installation of a GitHub App, for this repository alone, valid for an hour: asked for with a request that the app's private key
 * signs (RS256). Undefined where no app is named. CONFIG_INVALID for a wrong key or id; a ProviderFailure where GitHub gives none.
 */
export async function findAppToken(
  { base_url, repository }: Pick<ProviderSettings, 'base_url' | 'repository'>,
  options: TransportOptions,
): Promise<Token | undefined> {
  const { env } = options
  const app = env[APP_VARIABLE]?.trim()
  const source = nameApp(env)
  if (!app || source === undefined) return undefined
  if (!/^[\w.-]{1,100}$/.test(app)) throw refuse(`${APP_VARIABLE} is no id of a GitHub App.`)
  const installation = env[INSTALLATION_VARIABLE]?.trim()
  if (installation && !/^\d{1,19}$/.test(installation)) throw refuse(`${INSTALLATION_VARIABLE} is no number.`)
  const key = readKey(env)
  const transport = await openTransport(options)
  try {
    const jwt = signRequest(app, key, Math.floor(Date.now() / 1000))
    transport.protect(jwt)
    const headers = {
      ...{
        authorization: `Bearer ${jwt}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
      },
    }
    const ask = async (method: string, path: string, body?: object) => {
      const request = {
        ...{ method, url: `${base_url}${path}` },
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      }
      return JSON.parse((await transport.request(request)).text) as Record<string, unknown>
    }
    const id = installation || String((await ask('GET', `/repos/${repository}/installation`)).id)
    if (!/^\d{1,19}$/.test(id)) throw new ProviderFailure('invalid', 'GitHub named no installation of the app.')
    const name = repository.slice(repository.indexOf('/') + 1)
    const { token } = await ask('POST', `/app/installations/${id}/access_tokens`, { repositories: [name] })
    if (typeof token !== 'string' || !/^[\w.-]{8,1000}$/.test(token))
      throw new ProviderFailure('invalid', 'GitHub gave no token for the installation of the app.')
    return { value: token, source, scheme: 'app' }
  } finally {
    await transport.close()
  }
}

/** What a user reads of the app that the environment names; undefined without one. */
export function nameApp(env: Environment): string | undefined {
  const app = env[APP_VARIABLE]?.trim()
  return app ? `GitHub App ${app}` : undefined
}

/** A JSON Web Token (RFC 7519) of the app, signed with RS256. */
function signRequest(app: string, key: KeyObject, now: number): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode({ iat: now - EARLIER_S, exp: now + LIFETIME_S, iss: app })}`
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key).toString('base64url')}`
}

/** The private key, in the variable or in the file that it names with `_FILE`. */
function readKey(env: Environment): KeyObject {
  const file = env[`${KEY_VARIABLE}_FILE`]
  // A variable of a CI system often has its line breaks written out.
  const pem =
    env[KEY_VARIABLE]?.replaceAll('\\n', '\n') ||
    (file && ignoreUnreadable(() => readOwn(file, MOST_KEY))?.toString('utf8'))
  if (!pem)
    throw refuse(
      file
        ? `${KEY_VARIABLE}_FILE names no readable file with a key.`
        : `${APP_VARIABLE} is set, and no private key of the app.`,
    )
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'rsa') return key
  } catch {
    // Said below, without what the variable has.
  }
  throw refuse(`${file ? `${KEY_VARIABLE}_FILE` : KEY_VARIABLE} has no RSA private key in PEM.`)
}

function refuse(message: string): EngineError {
  return new EngineError('CONFIG_INVALID', message, {
    hint: `Set ${APP_VARIABLE} and ${KEY_VARIABLE}_FILE from the settings of the GitHub App, or unset ${APP_VARIABLE}.`,
  })
}
