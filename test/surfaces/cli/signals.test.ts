import { EventEmitter } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { listenForSignals } from '../../../cli/signals.ts'

/** The codes and signals by which a process would end, in order. */
function program() {
  const ends: unknown[] = []
  const source = Object.assign(new EventEmitter(), {
    pid: 1,
    exit: (code: number) => ends.push(code),
    kill: (_pid: number, name: string) => ends.push(source.listenerCount(name) === 0 ? name : `a listener of ${name}`),
  })
  const written: string[] = []
  const send = (name: string) => source.emit(name, name)
  return { ...listenForSignals(source, { write: text => written.push(text) }), send, ends, written }
}

describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s', name => {
  it('first asks the work to stop', () => {
    const { send, signal, ends } = program()
    expect(signal.aborted).toBe(false)
    send(name)
    expect(signal.aborted).toBe(true)
    expect(ends).toEqual([])
  })

  it('ends an interrupted process by the same signal, once nobody listens for it', () => {
    const { send, endBySignal, ends } = program()
    send(name)
    endBySignal(130)
    expect(ends).toEqual([name])
  })

  it('leaves a command that ended in spite of it its own exit code', () => {
    const { send, endBySignal, ends } = program()
    send(name)
    endBySignal(0)
    expect(ends).toEqual([])
  })

  it('ends the process the second time, with 130 where the signal does not', () => {
    const { send, ends } = program()
    send('SIGINT')
    send(name)
    expect(ends).toEqual([name, 130])
  })

  it('says how to stop at once where the work takes its time', () => {
    vi.useFakeTimers()
    const { send, written } = program()
    send(name)
    expect(written).toEqual([])
    vi.advanceTimersByTime(1500)
    expect(written.join('')).toContain('press Ctrl-C again')
    vi.useRealTimers()
  })
})

it('an interruption without a signal is left to the exit code', () => {
  const { endBySignal, ends } = program()
  endBySignal(130)
  expect(ends).toEqual([])
})
