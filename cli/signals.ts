/** Exit code after a second Ctrl-C, as shells give it for SIGINT (decisions "Gate"). */
const INTERRUPTED = 130
/** Silence after the first Ctrl-C that deserves a word, in milliseconds. */
const PATIENCE = 1000

/** Where signals come from, and how the process is ended. */
interface SignalSource {
  on: (signal: 'SIGINT' | 'SIGTERM', listener: () => void) => unknown
  exit: (code: number) => unknown
}

/**
 * A signal that aborts at the first SIGINT or SIGTERM, so that work can end cleanly; the second one ends the process.
 * Who waits longer than a second is told that.
 */
export function abortOnSignal(source: SignalSource, stderr: { write(text: string): unknown }): AbortSignal {
  const controller = new AbortController()
  const onSignal = () => {
    if (controller.signal.aborted) source.exit(INTERRUPTED)
    controller.abort()
    setTimeout(() => stderr.write('\nsvc: stopping; press Ctrl-C again to stop at once\n'), PATIENCE).unref()
  }
  source.on('SIGINT', onSignal)
  source.on('SIGTERM', onSignal)
  return controller.signal
}
