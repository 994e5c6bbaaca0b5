import type { Event, Progress } from '../engine/base/context.ts'
import type { Output } from './host.ts'
import { formatProgress } from './progress-line.ts'

/** Least time between two drawings, in milliseconds. */
const FRAME = 100
/** Age of the process at which something stands on the screen, in milliseconds. */
const FIRST_SIGN = 90
/** Time between two lines where there is no terminal, in milliseconds. */
const REPORT_EVERY = 10_000
const CLEAR = '\r\x1b[2K'

interface Settings {
  command: string
  /** Draw nothing: quiet, or a server. */
  silent: boolean
  verbose: boolean
  env: Readonly<Record<string, string | undefined>>
}

/** The progress of one command, on stderr. */
export interface ProgressDisplay {
  /** Takes an event; draws at most ten times a second. */
  show(event: Event): void
  /** Writes whole lines above the bar. */
  above(text: string): void
  /** Says what a command that stays is doing: one line that is replaced on a terminal, a line each elsewhere. */
  status(text: string): void
  /** Stops drawing while a person types. */
  pause(): void
  /** Clears the bar, for good. */
  stop(): void
}

/**
 * Starts to show progress: a bar where stderr is a terminal; elsewhere nothing, but with -v a line every ten seconds.
 * Events draw too, not timers alone, since a busy thread runs no timer.
 */
export function startProgress(stderr: Output, { command, silent, verbose, env }: Settings): ProgressDisplay {
  const mode = silent ? 'none' : stderr.isTTY && env.TERM !== 'dumb' ? 'bar' : verbose ? 'lines' : 'none'
  const look = { fancy: mode === 'bar', unicode: /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '') }
  const began = performance.now()
  let phaseBegan = began
  let latest: Progress = { phase: command, done: 0, total: 0, bytes: 0, findings: 0 }
  let drawn = mode === 'bar' ? 0 : began
  let visible = false
  let timer: NodeJS.Timeout | undefined

  const draw = () => {
    drawn = performance.now()
    const line = formatProgress(latest, {
      ...look,
      width: stderr.columns || 80,
      elapsed: drawn - began,
      inPhase: drawn - phaseBegan,
    })
    stderr.write(mode === 'bar' ? `${CLEAR}${line}` : `svc: ${line}\n`)
    visible = mode === 'bar'
  }
  /** Draws where the last drawing is long enough ago: timers and events would else draw twice within a frame. */
  const drawWhenDue = () => {
    if (performance.now() - drawn >= (mode === 'bar' ? FRAME : REPORT_EVERY)) draw()
  }
  const clear = () => {
    if (visible) stderr.write(CLEAR)
    visible = false
  }
  let said = ''
  const pause = () => {
    clearTimeout(timer)
    clearInterval(timer)
    clear()
  }
  if (mode === 'bar') {
    const tick = () => {
      drawWhenDue()
      timer = setInterval(drawWhenDue, FRAME / 2).unref()
    }
    timer = setTimeout(tick, Math.max(20, FIRST_SIGN - began)).unref()
  }

  return {
    show(event) {
      if (mode === 'none') return
      if (event.type === 'started') latest = { ...latest, total: event.files }
      if (event.type !== 'progress') return
      if (event.progress.phase !== latest.phase) phaseBegan = performance.now()
      latest = event.progress
      drawWhenDue()
    },
    above(text) {
      clear()
      stderr.write(text)
    },
    status(text) {
      if (text === said) return
      said = text
      const isTerminal = stderr.isTTY && env.TERM !== 'dumb'
      clear()
      stderr.write(isTerminal ? `${CLEAR}${text.slice(0, (stderr.columns || 80) - 1)}` : `svc: ${text}\n`)
      visible = isTerminal === true
    },
    pause,
    stop: pause,
  }
}
