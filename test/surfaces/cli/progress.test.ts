import { describe, expect, it } from 'vitest'
import { formatDuration, formatProgress } from '../../../cli/progress-line.ts'
import { svc } from './harness.ts'

const CLEAR = '\r\x1b[2K'
const UTF8 = { LANG: 'C.UTF-8', NO_COLOR: '1' }

describe('progress', () => {
  it('is drawn on a terminal at most ten times a second, and cleared before the answer', async () => {
    const began = performance.now()
    const { writes, out } = await svc('work --ms 600', { tty: true, columns: 100, env: UTF8 })
    const frames = (performance.now() - began) / 100
    const drawn = writes.filter(text => text.includes('scan'))
    expect(drawn.length).toBeGreaterThan(1)
    expect(drawn.length).toBeLessThanOrEqual(frames + 1)
    expect(writes.at(-1)).toBe(CLEAR)
    expect(out).toBe('worked\n')
  })

  it('makes way for a notice', async () => {
    const { writes } = await svc('work --ms 300', { tty: true, env: UTF8 })
    expect(writes).toContain('Work has begun.\n')
  })

  it.each([
    ['a pipe', {}, 'work --ms 300'],
    ['-q', { tty: true }, 'work --ms 300 -q'],
    ['a dumb terminal', { tty: true, env: { TERM: 'dumb' } }, 'work --ms 300'],
  ])('is silent for %s', async (_, situation, line) => {
    expect((await svc(line, situation)).err.replace('Work has begun.\n', '')).toBe('')
  })
})

describe('the line of progress', () => {
  const half = { phase: 'scan', done: 5000, total: 10000, bytes: 50e6, findings: 12 }
  const look = { fancy: true, unicode: true, width: 120, elapsed: 10_000, inPhase: 10_000 }

  it('tells phase, files, share, findings, rate, time left and time gone', () => {
    expect(formatProgress(half, look)).toMatch(
      /scan {2}━{12}─{12} {2}5,000\/10,000 files {2}50% {2}12 findings {2}5\.0 MB\/s {2}10 s left {2}10 s$/,
    )
  })

  it('counts files a second where no bytes are counted', () => {
    expect(formatProgress({ ...half, bytes: 0 }, look)).toContain('500 files/s')
  })

  it('guesses no rest from the first moments', () => {
    expect(formatProgress(half, { ...look, inPhase: 300 })).not.toContain('left')
  })

  it('is never wider than the terminal less one column', () => {
    for (let width = 4; width < 160; width++)
      expect(formatProgress(half, { ...look, width }).length).toBeLessThan(width)
  })

  it('keeps to ASCII where the locale is not UTF-8', () => {
    expect(formatProgress(half, { ...look, unicode: false })).toMatch(/^[\x20-\x7e]+$/)
  })

  it('is a plain list of facts where there is no terminal', () => {
    expect(formatProgress(half, { ...look, fancy: false })).toMatch(/^scan, 5,000\/10,000 files, 50%, 12 findings/)
  })

  it.each([
    [8_000, '8 s'],
    [65_000, '1:05'],
    [7_389_000, '2:03:09'],
  ])('writes %i ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })
})
