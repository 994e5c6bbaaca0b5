import { expect, it } from 'vitest'
import { createRateLimit, identifyClient, readRateLimit } from '../../../api/rate-limit.ts'
import fc from '../../made/property.ts'
import { problem, startServer } from './server-under-test.ts'

const WINDOW = 1000

it('in any stretch of one window at most the limit is allowed, and nothing is refused while there is room', () => {
  const waits = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), waits, (limit, steps) => {
      let now = 0
      const rate = createRateLimit({ limit, windowMs: WINDOW, now: () => now })
      const allowed: number[] = []
      for (const step of steps) {
        now += step
        const recent = allowed.filter(time => time > now - WINDOW).length
        const taken = rate.take('a')
        expect(taken.allowed).toBe(recent < limit)
        if (taken.allowed) allowed.push(now)
        expect(taken.remaining).toBe(limit - recent - (taken.allowed ? 1 : 0))
      }
    }),
  )
})

it('after the seconds that it names, the next request is allowed', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 40 }),
      (limit, steps) => {
        let now = 0
        const rate = createRateLimit({ limit, windowMs: WINDOW, now: () => now })
        for (const step of steps) {
          now += step
          const { allowed, retryAfter } = rate.take('a')
          if (allowed) continue
          expect(retryAfter).toBeGreaterThanOrEqual(1)
          now += retryAfter * 1000
          expect(rate.take('a').allowed).toBe(true)
        }
      },
    ),
  )
})

it('clients do not share their places', () => {
  const rate = createRateLimit({ limit: 1, now: () => 0 })
  expect([rate.take('a'), rate.take('b'), rate.take('a')].map(taken => taken.allowed)).toEqual([true, true, false])
})

it('memory stays within its bound, however many clients ask, and is given back after a window', () => {
  let now = 0
  const rate = createRateLimit({ limit: 3, windowMs: WINDOW, capacity: 100, now: () => now })
  for (let n = 0; n < 5000; n++) {
    rate.take(`client ${n % 700}`)
    expect(rate.held).toBeLessThanOrEqual(102)
  }
  now = 2 * WINDOW
  rate.take('last')
  expect(rate.held).toBe(1)
})

it('a full memory forgets those who asked longest ago, not those who are asking', () => {
  const rate = createRateLimit({ limit: 2, windowMs: WINDOW, capacity: 10, now: () => 0 })
  for (let n = 0; n < 200; n++) {
    rate.take(`once ${n}`)
    if (n >= 2) expect(rate.take('busy').allowed).toBe(n < 4)
    else rate.take('other')
  }
})

it('an IPv6 subscriber is one client, an IPv4 address is one however it is written', () => {
  expect(identifyClient('2001:db8:1:2::1')).toBe(identifyClient('2001:db8:1:2:ffff:1:2:3'))
  expect(identifyClient('2001:db8:1:2::1')).not.toBe(identifyClient('2001:db8:1:3::1'))
  expect(identifyClient('::1')).toBe('0:0:0:0')
  expect(identifyClient('fe80::1%eth0')).toBe('fe80:0:0:0')
  expect(identifyClient('::ffff:10.0.0.1')).toBe(identifyClient('10.0.0.1'))
})

it('the environment sets or ends the limit, and a value that is none is refused with its name', () => {
  expect(readRateLimit({})).toBe(60)
  expect(readRateLimit({ GUARD_RATE_LIMIT_RPM: '5' })).toBe(5)
  expect(readRateLimit({ GUARD_RATE_LIMIT_ENABLED: 'FALSE', GUARD_RATE_LIMIT_RPM: '5' })).toBeUndefined()
  for (const bad of ['0', '-1', '1.5', 'many']) {
    expect(() => readRateLimit({ GUARD_RATE_LIMIT_RPM: bad })).toThrow(
      `GUARD_RATE_LIMIT_RPM must be a whole number from 1, but is "${bad}"`,
    )
  }
  expect(() => readRateLimit({ GUARD_RATE_LIMIT_ENABLED: 'perhaps' })).toThrow('GUARD_RATE_LIMIT_ENABLED')
})

it('the server tells what is left, refuses what is over and serves again when the window has passed', async () => {
  let now = 0
  const { base } = await startServer({ env: { GUARD_RATE_LIMIT_RPM: '2' }, now: () => now })
  const first = await fetch(`${base}/api/things/a`)
  expect(first.headers.get('ratelimit-policy')).toBe('"default";q=2;w=60')
  expect(first.headers.get('ratelimit')).toBe('"default";r=1;t=60')
  now = 15_000
  expect((await fetch(`${base}/api/things/a`)).status).toBe(200)
  const refused = await fetch(`${base}/api/things/a`)
  expect(refused.headers.get('retry-after')).toBe('45')
  expect(refused.headers.get('ratelimit')).toBe('"default";r=0;t=45')
  expect(await problem(refused)).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
  now = 60_000
  expect((await fetch(`${base}/api/things/a`)).status).toBe(200)
})

it('only /api/ is limited, however its address is spelled and whether anything is there or not', async () => {
  const { base } = await startServer({ env: { GUARD_RATE_LIMIT_RPM: '3' } })
  for (let n = 0; n < 5; n++) {
    for (const path of ['/health', '/dashboard', '/api', '/nothing']) {
      expect((await fetch(base + path)).headers.get('ratelimit')).toBeNull()
    }
  }
  await fetch(`${base}/%61pi/things/a`)
  await fetch(`${base}/api/nothing`)
  await fetch(`${base}/api/page`)
  expect((await fetch(`${base}/api/page`)).status).toBe(429)
})

it('guessing keys is limited too', async () => {
  const { base } = await startServer({ key: 's3cret', env: { GUARD_RATE_LIMIT_RPM: '2' } })
  const statuses = []
  for (let n = 0; n < 3; n++)
    statuses.push((await fetch(`${base}/api/page`, { headers: { 'x-api-key': `guess${n}` } })).status)
  expect(statuses).toEqual([401, 401, 429])
})
