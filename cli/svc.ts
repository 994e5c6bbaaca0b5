// The program `svc`: real streams, signals and the exit code around cli/run.ts.
import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { removeAllTemporary } from '../engine/base/disk/temporary.ts'
import { OPERATIONS } from '../engine/door/operations.gen.ts'
import { loadSchemas } from '../engine/door/schemas.ts'
import { run } from './run.ts'
import { listenForSignals } from './signals.ts'

/** Exit code of an internal error. */
const INTERNAL = 70

/** An error that nothing caught: a bug of svc. Its exit code must not be one that a gate or a hook takes for a result, as Node's 1 is. */
function failOnUncaught(error: unknown): never {
  const text = error instanceof Error ? error.stack : String(error)
  try {
    // Written at once: the process ends before a stream would have written it.
    writeSync(2, `svc: Internal error.\n  ${text}\n  Run again with -v and report what it prints.\n`)
  } catch {
    // The reader of stderr has gone.
  }
  removeAllTemporary()
  return process.exit(INTERNAL)
}

async function main(): Promise<never> {
  let isHanging = false
  process.on('uncaughtException', failOnUncaught)
  const { signal, endBySignal } = listenForSignals(process, process.stderr)
  const code = await run(process.argv.slice(2), {
    operations: OPERATIONS,
    schemas: loadSchemas,
    // A getter, since opening standard input costs time and only few commands read it.
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    signal,
    caller: {
      pid: process.pid,
      get terminal() {
        return isatty(0) && isatty(2)
      },
    },
    leftBehind() {
      isHanging = true
    },
    stayBehind(command) {
      const env = { ...process.env }
      // What the process answers is for whoever asks it, not for who happened to start it.
      for (const name of ['SVC_AGENT_KEY', 'SVC_AGENT_KEY_FILE', 'SVC_TASK_SESSION', 'NODE_OPTIONS']) delete env[name]
      const child = spawn(process.execPath, [process.argv[1]!, command], { detached: true, stdio: 'ignore', env })
      child.on('error', () => {})
      child.unref()
    },
    async serve(server, input, context) {
      const { serve } = await import('./serve.ts')
      return serve(server, input, context, { operations: OPERATIONS, schemas: loadSchemas })
    },
  })
  // Everything is written by now: no idle thread and no database is waited for.
  endBySignal(code)
  if (isHanging) (await import('./leave.ts')).leave(code)
  return process.exit(code)
}

void main()
