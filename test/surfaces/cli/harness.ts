import { run } from '../../../cli/run.ts'
import { ROWS, schemasOf } from '../fixtures/operations.ts'

interface Situation {
  tty?: boolean
  columns?: number
  env?: Record<string, string>
  stdin?: string
  signal?: AbortSignal
}

/** A stream that keeps what is written to it. */
function recorder(isTTY: boolean, columns: number | undefined) {
  const written: string[] = []
  return {
    isTTY,
    columns,
    written,
    write(text: string, done?: (error?: Error | null) => void) {
      written.push(text)
      done?.()
      return true
    },
  }
}

/** Runs a command line over the fixture operations, without a process. */
export async function svc(line: string | string[], situation: Situation = {}) {
  const { tty = false, columns, env = {}, stdin = '', signal = new AbortController().signal } = situation
  const stdout = recorder(tty, columns)
  const stderr = recorder(tty, columns)
  const code = await run(typeof line === 'string' ? line.split(' ').filter(Boolean) : line, {
    operations: ROWS,
    schemas: schemasOf,
    stdin: Object.assign(
      (async function* () {
        yield Buffer.from(stdin)
      })(),
      { isTTY: false },
    ),
    stdout,
    stderr,
    env,
    cwd: '/',
    signal,
  })
  return { code, out: stdout.written.join(''), err: stderr.written.join(''), writes: stderr.written }
}
