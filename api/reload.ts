import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** How a program is run again on each build. */
export interface ReloadOptions {
  /** Absolute path of the program's file; its folder is what a build replaces as a whole. */
  program: string
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  signal: AbortSignal
  notice(text: string): void
}

/** Milliseconds without a further change before the program is started again. */
const QUIET = 250

/**
 * Runs the program as a child process, which a new build needs since loaded modules stay as they are, and starts it again
 * after each change of its folder. Settles when the signal has aborted and the child has ended.
 */
export async function runAndReload(options: ReloadOptions): Promise<void> {
  const { program, args, env, cwd, signal, notice } = options
  const folder = dirname(program)
  let child: ChildProcess | undefined
  let ended: Promise<unknown> = Promise.resolve()

  function start(): void {
    const started = spawn(process.execPath, [program, ...args], {
      cwd,
      env: { ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    child = started
    ended = new Promise(resolve => started.once('close', resolve))
  }

  async function stop(): Promise<void> {
    child?.kill('SIGTERM')
    await ended
  }

  let turn: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  function changed(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      turn = turn.then(async () => {
        if (signal.aborted || !existsSync(program)) return
        notice('The program was rebuilt: restarting.')
        await stop()
        start()
      })
    }, QUIET)
  }

  // A build renames a fresh folder into place, so the folder above is watched too; a watch on the folder itself dies with it.
  const above = watch(dirname(folder), (_, name) => {
    if (name !== basename(folder)) return
    inside.close()
    inside = watchInside()
    changed()
  })
  const watchInside = () => (existsSync(folder) ? watch(folder, changed) : { close() {} })
  let inside = watchInside()

  start()
  if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
  clearTimeout(timer)
  above.close()
  inside.close()
  await turn
  await stop()
}
