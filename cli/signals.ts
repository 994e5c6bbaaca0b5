import { removeAllTemporary } from '../engine/base/disk/temporary.ts'

/** Exit code of an interrupted command (decisions "Gate"), where the process does not die by the signal itself. */
const INTERRUPTED = 130
/** Time after the first signal until stderr says how to stop at once, in milliseconds. */
const PATIENCE = 1000

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type Signal = (typeof SIGNALS)[number]

/** As much of `process` as this needs. */
export interface SignalSource {
  readonly pid: number
  on(signal: Signal, listener: (signal: Signal) => void): unknown
  removeAllListeners(signal: Signal): unknown
  kill(pid: number, signal: Signal): unknown
  exit(code: number): unknown
}

/** The signals of one process: the first one asks the work to stop, the second one ends the process. */
export interface Signals {
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP, so that the work can end cleanly. */
  readonly signal: AbortSignal
  /**
   * Ends the process by the signal that it received, where `code` says that the command was interrupted by it; returns
   * where it was not. Shells and supervisors expect this of an interrupted program, and no other exit is safe beside
   * threads that are still at work: `exit` waits for them, or destroys what they use and crashes.
   */
  endBySignal(code: number): void
}

/** Listens for the signals of a process. Where the work does not stop within a second, stderr says how to stop at once. */
export function listenForSignals(source: SignalSource, stderr: { write(text: string): unknown }): Signals {
  const controller = new AbortController()
  let received: Signal | undefined
  const endBySignal = (code: number) => {
    if (code !== INTERRUPTED || received === undefined) return
    removeAllTemporary()
    for (const name of SIGNALS) source.removeAllListeners(name)
    source.kill(source.pid, received)
  }
  const onSignal = (name: Signal) => {
    received = name
    if (controller.signal.aborted) {
      endBySignal(INTERRUPTED)
      source.exit(INTERRUPTED)
    }
    controller.abort()
    setTimeout(() => stderr.write('\nsvc: stopping; press Ctrl-C again to stop at once\n'), PATIENCE).unref()
  }
  for (const name of SIGNALS) source.on(name, onSignal)
  return { signal: controller.signal, endBySignal }
}
