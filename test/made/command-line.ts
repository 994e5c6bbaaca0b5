import { run } from '../../cli/run.ts'
import { OPERATIONS } from '../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../engine/door/schemas.ts'

/** What a command line came to. */
export interface Ran {
  /** Exit code; null where a signal ended the process. */
  code: number | null
  out: string
  err: string
}

/**
 * Runs a command line of svc in this process, in that working directory and with that environment and no other, as the program would. A
 * process takes 0.3 s of CPU time before it does anything; what a process alone has (signals, its streams, what it leaves
 * running) is tried on the built program. One runs at a time: both belong to the process.
 */
export async function runHere(
  args: readonly string[],
  { cwd, env, input = '' }: { cwd: string; env: NodeJS.ProcessEnv; input?: string },
): Promise<Ran> {
  const [before, variables] = [process.cwd(), { ...process.env }]
  const [stdout, stderr] = [makeRecorder(), makeRecorder()]
  process.chdir(cwd)
  setEnvironment(env)
  try {
    const code = await run(args, {
      operations: OPERATIONS,
      schemas: loadSchemas,
      stdin: Object.assign(
        (async function* () {
          yield Buffer.from(input)
        })(),
        { isTTY: false },
      ),
      stdout,
      stderr,
      env: { ...env },
      cwd,
      signal: new AbortController().signal,
      caller: { pid: process.pid, terminal: false },
    })
    return { code, out: stdout.text(), err: stderr.text() }
  } finally {
    process.chdir(before)
    setEnvironment(variables)
  }
}

function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
}

/** A stream that keeps what is written to it. */
function makeRecorder() {
  const written: string[] = []
  return {
    text: () => written.join(''),
    write(text: string, done?: (error?: Error | null) => void) {
      written.push(text)
      done?.()
      return true
    },
  }
}
