import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { canAsk, chooseWithArrows } from '../../../cli/choose.ts'
import type { Host } from '../../../cli/host.ts'

/** Two streams as a terminal has them, and what was drawn. */
function terminal(signal = new AbortController().signal) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin })
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
  let drawn = ''
  stderr.on('data', chunk => {
    drawn += chunk
  })
  return {
    host: { stdin, stderr, signal } as unknown as Host,
    press: (keys: string) => stdin.write(keys),
    drawn: () => drawn,
  }
}
const CHOICES = [
  { value: 'a', name: 'the first', description: 'about the first' },
  { value: 'b', name: 'the second' },
  { value: 'c', name: 'the third' },
]
const DOWN = '\x1b[B'

describe('choosing', () => {
  test('moves with the arrows from what is marked, and takes it with Enter', async () => {
    const { host, press, drawn } = terminal()
    const choosing = chooseWithArrows(host, 'I want to', CHOICES, 'b')
    await expect.poll(drawn).toContain('I want to')
    for (const { name } of CHOICES) expect(drawn()).toContain(name)
    const before = drawn()
    press(DOWN)
    await expect.poll(drawn).not.toBe(before)
    press('\r')
    expect(await choosing).toBe('c')
  })

  test('is left with Ctrl-C', async () => {
    const { host, press, drawn } = terminal()
    const choosing = chooseWithArrows(host, 'I want to', CHOICES)
    await expect.poll(drawn).toContain('I want to')
    press('\x03')
    expect(await choosing).toBeUndefined()
  })

  test('ends with the interruption of the command', async () => {
    const stop = new AbortController()
    const { host, drawn } = terminal(stop.signal)
    const choosing = chooseWithArrows(host, 'I want to', CHOICES)
    await expect.poll(drawn).toContain('I want to')
    stop.abort()
    await expect(choosing).rejects.toMatchObject({ code: 'INTERRUPTED' })
  })
})

test('a person is asked only where they see a terminal and type into one', () => {
  const stream = (isTTY: boolean) => ({ isTTY }) as unknown as Host['stdin'] & Host['stderr']
  const asked = (stdin: boolean, stderr: boolean, env = {}) =>
    canAsk({ stdin: stream(stdin), stderr: stream(stderr), env })
  expect([asked(true, true), asked(false, true), asked(true, false), asked(true, true, { TERM: 'dumb' })]).toEqual([
    true,
    false,
    false,
    false,
  ])
})
