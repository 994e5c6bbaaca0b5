import { PassThrough, Writable } from 'node:stream'
import type { Context } from '../../engine/base/context.ts'
import type { DocumentCheckers } from '../../engine/base/records/document-check.ts'
import type { ManifestRow } from '../../engine/door/operation.ts'
import type { Schemas } from '../../engine/door/schemas.ts'
import { startSession } from './session.ts'

/**
 * Serves the Language Server Protocol on standard input and output until the client says `exit`, closes the input, or has gone. The
 * protocol's library ends the process: 0 after `shutdown`, else 1. Nothing but messages reaches standard output: whatever else writes to
 * it is sent to standard error.
 */
export async function serveLsp(
  checkers: DocumentCheckers,
  context: Context,
  operations: readonly ManifestRow[],
  schemas: (id: string) => Schemas,
): Promise<void> {
  const library = await import('./library.ts')
  const { stdin, stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  const messages = new Writable({ write: (chunk, encoding, done) => void write(chunk, encoding, done) })
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  const input = stdin.pipe(new PassThrough())
  const connection = library.createConnection(input, messages)
  // The server itself is at no terminal: the user is at the other end of the pipe.
  const own: Context = {
    ...context,
    caller: { pid: context.caller?.pid },
    notice: text => connection.console.info(text),
    emit: () => {},
  }
  const stopped = new Promise<void>(resolve => {
    for (const stream of [stdout, messages]) stream.on('error', () => resolve())
    context.signal.addEventListener('abort', () => resolve(), { once: true })
    if (context.signal.aborted) resolve()
  })
  startSession({ connection, library, checkers, context: own, operations, schemas })
  connection.listen()
  await stopped
  connection.dispose()
}
