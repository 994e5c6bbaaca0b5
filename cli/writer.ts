import type { Output } from './host.ts'
import { escapeControls } from './printable.ts'

/** Writes text to a stream and waits until it is handed over. */
export type Write = (text: string) => Promise<void>

/**
 * A writer for a stream. A reader that has gone (`svc list-rules | head`) ends the output quietly; any other failure,
 * such as a full disk behind a redirection, is thrown. To a terminal, control characters are written visibly. `filter` changes every text.
 */
export function makeWriter(stream: Output, filter = (text: string) => text): Write {
  let gone = false
  // The failure reaches the callback below; without a listener the event would end the process.
  stream.on?.('error', () => {})
  return text =>
    new Promise((resolve, reject) => {
      if (gone || text === '') return resolve()
      stream.write(filter(stream.isTTY ? escapeControls(text) : text), error => {
        if (!error) return resolve()
        if ((error as NodeJS.ErrnoException).code !== 'EPIPE') return reject(error)
        gone = true
        resolve()
      })
    })
}
