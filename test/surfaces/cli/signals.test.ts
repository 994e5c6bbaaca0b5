import { EventEmitter } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { abortOnSignal } from '../../../cli/signals.ts'

function program() {
  const exits: unknown[] = []
  const source = Object.assign(new EventEmitter(), { exit: (code: unknown) => exits.push(code) as never })
  const said: string[] = []
  const signal = abortOnSignal(source as unknown as NodeJS.Process, { write: (text: string) => said.push(text) })
  return { source, signal, exits, said }
}

describe.each(['SIGINT', 'SIGTERM'])('%s', name => {
  it('first asks the work to stop', () => {
    const { source, signal, exits } = program()
    expect(signal.aborted).toBe(false)
    source.emit(name)
    expect(signal.aborted).toBe(true)
    expect(exits).toEqual([])
  })

  it('ends the program with 130 the second time', () => {
    const { source, exits } = program()
    source.emit('SIGINT')
    source.emit(name)
    expect(exits).toEqual([130])
  })

  it('says how to stop at once where the work takes its time', () => {
    vi.useFakeTimers()
    const { source, said } = program()
    source.emit(name)
    expect(said).toEqual([])
    vi.advanceTimersByTime(1500)
    expect(said.join('')).toContain('press Ctrl-C again')
    vi.useRealTimers()
  })
})
