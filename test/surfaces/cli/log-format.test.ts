import { describe, expect, it } from 'vitest'
import { formatLogLine } from '../../../cli/log-line.ts'
import { svc } from './harness.ts'

describe('--log-format json', () => {
  it('writes notices as lines of JSON to stderr, and leaves the answer as it is', async () => {
    const { out, err } = await svc('work --ms 1 --log-format json', { tty: true })
    expect(out).toBe((await svc('work --ms 1')).out)
    const line = JSON.parse(err)
    expect(line).toEqual({ time: expect.any(String), level: 'info', command: 'work', message: 'Work has begun.' })
    expect(Math.abs(Date.parse(line.time) - Date.now())).toBeLessThan(60_000)
  })

  it('writes an error with its code and the next step, and keeps the exit code', async () => {
    const { code, err } = await svc('work --ms many --log-format json')
    expect(code).toBe(64)
    expect(JSON.parse(err)).toMatchObject({
      level: 'error',
      command: 'work',
      code: 'INPUT_INVALID',
      hint: expect.any(String),
    })
  })

  it('comes from SVC_LOG_FORMAT too, and the option takes precedence', async () => {
    const env = { SVC_LOG_FORMAT: 'json' }
    expect(JSON.parse((await svc('work --ms 1', { env })).err).message).toBe('Work has begun.')
    expect((await svc('work --ms 1 --log-format text', { env })).err).toBe('Work has begun.\n')
  })

  it('is text or json', async () => {
    const { code, err } = await svc('work --ms 1 --log-format xml')
    expect([code, err]).toEqual([64, expect.stringContaining('must be text or json, but was "xml"')])
  })

  it('has no character that drives a terminal', () => {
    const message = 'a\u009b31m\u202e\u001b[0m\nb'
    const line = formatLogLine({ level: 'info', message }, 'scan')
    expect(line.trimEnd()).toMatch(/^[\x20-\x7e]+$/)
    expect(JSON.parse(line).message).toBe(message)
  })
})
