import { isIPv6 } from 'node:net'
import { EngineError } from '../engine/base/errors.ts'

/** Answer to one request. */
export interface Taken {
  allowed: boolean
  /** Requests still free in the window that ends now. */
  remaining: number
  /** Seconds, rounded up, until one more request is free: 0 where one is free now. */
  retryAfter: number
  /** Seconds, rounded up, until the oldest request leaves the window and gives its place back. */
  reset: number
}

export interface RateLimit {
  limit: number
  windowSeconds: number
  take(client: string): Taken
  /** Times held in memory, over all clients. */
  readonly held: number
}

export interface RateLimitOptions {
  /** Requests per window. */
  limit: number
  windowMs?: number
  /** Most times held over all clients; the clients that asked longest ago are forgotten first. */
  capacity?: number
  /** Milliseconds that never run backwards. */
  now?: () => number
}

/**
 * A true sliding window: in any stretch of `windowMs`, at most `limit` requests of a client are allowed. Refused ones are
 * not counted, so a client that keeps asking is served again as soon as its oldest request is a window old.
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { limit, windowMs = 60_000, capacity = 1_000_000, now = () => performance.now() } = options
  /** Times of each client's allowed requests, oldest first; clients in the order of their last request. */
  const clients = new Map<string, number[]>()
  let held = 0

  function forget(client: string, times: number[]): void {
    clients.delete(client)
    held -= times.length
  }

  function sweep(at: number): void {
    for (const [client, times] of clients) {
      if (held < capacity && times.at(-1)! > at - windowMs) return
      forget(client, times)
    }
  }

  return {
    limit,
    windowSeconds: windowMs / 1000,
    take(client) {
      const at = now()
      const known = clients.get(client)
      if (known) forget(client, known)
      const times = known?.filter(time => time > at - windowMs) ?? []
      sweep(at)
      const allowed = times.length < limit
      if (allowed) times.push(at)
      if (times.length > 0) clients.set(client, times)
      held += times.length
      const reset = seconds(times.length > 0 ? times[0]! + windowMs - at : 0)
      return { allowed, remaining: limit - times.length, retryAfter: allowed ? 0 : Math.max(1, reset), reset }
    },
    get held() {
      return held
    },
  }
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000)
}

/** The limit that GUARD_RATE_LIMIT_ENABLED (default true) and GUARD_RATE_LIMIT_RPM (default 60) set; undefined where it is off. */
export function readRateLimit(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const enabled = (env.GUARD_RATE_LIMIT_ENABLED ?? '').trim().toLowerCase() || 'true'
  if (!['true', '1', 'false', '0'].includes(enabled)) {
    throw new EngineError('USAGE', `GUARD_RATE_LIMIT_ENABLED must be true or false, but is "${enabled}".`, {
      hint: 'Set it to true or false, or unset it.',
    })
  }
  const rpm = (env.GUARD_RATE_LIMIT_RPM ?? '').trim() || '60'
  if (!/^[1-9]\d{0,6}$/.test(rpm)) {
    throw new EngineError('USAGE', `GUARD_RATE_LIMIT_RPM must be a whole number from 1, but is "${rpm}".`, {
      hint: 'Set it to the requests allowed per minute and client, or unset it.',
    })
  }
  return enabled === 'true' || enabled === '1' ? Number(rpm) : undefined
}

/** What counts as one client: an IPv4 address, or the /64 network that an IPv6 subscriber has to itself. */
export function identifyClient(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped) return mapped
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = ip.replace(/%.*$/, '').toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const groups =
    tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** The headers of draft-ietf-httpapi-ratelimit-headers, and Retry-After (RFC 9110) on a refusal. */
export function makeRateLimitHeaders(rate: RateLimit, taken: Taken): Record<string, string> {
  return {
    'ratelimit-policy': `"default";q=${rate.limit};w=${rate.windowSeconds}`,
    ratelimit: `"default";r=${taken.remaining};t=${taken.reset}`,
    ...(taken.allowed ? {} : { 'retry-after': String(taken.retryAfter) }),
  }
}
