// The program `svc`: real streams, signals and the exit code around cli/run.ts.
import { spawn } from 'node:child_process'
import { isatty } from 'node:tty'
import { OPERATIONS } from '../engine/operations.gen.ts'
import { schemasOf } from '../engine/schemas.ts'
import { run } from './run.ts'
import { abortOnSignal } from './signals.ts'

async function atOnce(code: number): Promise<never> {
  return (await import('./leave.ts')).leave(code)
}

async function main(): Promise<never> {
  let isHanging = false
  const signal = abortOnSignal({ on: (name, listener) => process.on(name, listener), exit: atOnce }, process.stderr)
  const code = await run(process.argv.slice(2), {
    operations: OPERATIONS,
    schemas: schemasOf,
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
      return serve(server, input, context, { operations: OPERATIONS, schemas: schemasOf })
    },
  })
  // Everything is written by now; leaving at once spares the shutdown of idle workers and of the database.
  // Where a thread is in the middle of something, it is not waited for. Only there: the system's `exit` takes down what Node's own
  // threads may still use, so that one of some forty processes that were interrupted under load ended by SIGSEGV.
  if (isHanging) await atOnce(code)
  return process.exit(code)
}

void main()
