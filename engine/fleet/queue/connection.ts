import { EngineError } from '../../base/errors.ts'
import type { Config } from '../../sources/config/load.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The address of the queue, with the password where it has one. */
export const REDIS_VARIABLE = 'SVC_FLEET_REDIS_URL'

/** How to reach a Redis or Valkey server, in the form that the client takes. */
export interface RedisAddress {
  host?: string
  port?: number
  /** A socket's. */
  path?: string
  username?: string
  password?: string
  db?: number
  tls?: Record<string, never>
  /** What a person may see of it. */
  shown: string
}

/**
 * Where the queue is: SVC_FLEET_REDIS_URL, else fleet.redis_url, else this machine's port 6379. CONFIG_INVALID for an address that is none, and for a password in
 * the configuration, which others read.
 */
export function resolveRedis(config: Pick<Config, 'fleet'>, env: Environment): RedisAddress {
  const given = env[REDIS_VARIABLE]?.trim()
  const address = parseRedis(given || config.fleet.redis_url || 'redis://127.0.0.1:6379')
  if (!given && address.password !== undefined)
    throw new EngineError(
      'CONFIG_INVALID',
      'fleet.redis_url has a password, which everybody who reads the file sees.',
      {
        hint: `Put the whole address into the environment variable ${REDIS_VARIABLE}.`,
      },
    )
  return address
}

/** Reads `redis://[user:password@]host[:port][/db]`, `rediss://…` and `unix:///path`. */
export function parseRedis(text: string): RedisAddress {
  if (text.startsWith('unix:///')) return { path: text.slice('unix://'.length), shown: text }
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (
    url === undefined ||
    !/^rediss?:$/.test(url.protocol) ||
    url.hostname === '' ||
    !/^\/?\d{0,4}$/.test(url.pathname)
  )
    throw new EngineError('CONFIG_INVALID', 'The address of Redis must be redis://, rediss:// or unix:///.', {
      hint: `For instance ${REDIS_VARIABLE}=redis://127.0.0.1:6379/0.`,
    })
  const db = Number(url.pathname.slice(1))
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || 6379),
    ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
    ...(db > 0 && { db }),
    ...(url.protocol === 'rediss:' && { tls: {} }),
    shown: `${url.protocol}//${url.host}${db > 0 ? `/${db}` : ''}`,
  }
}
