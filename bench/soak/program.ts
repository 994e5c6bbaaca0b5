import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** The project's own folder. */
export const ROOT = resolve(import.meta.dirname, '../..')
/** The built program; SVC_PROGRAM names another build to compare with. */
export const PROGRAM = process.env.SVC_PROGRAM ?? join(ROOT, 'dist/svc.js')

/** A configuration with every built-in pack on. */
export const ALL_PACKS = `packs: { enable: [${readdirSync(join(ROOT, 'packs'))
  .filter(id => existsSync(join(ROOT, 'packs', id, 'pack.yaml')))
  .join(', ')}] }\n`

/** How one run of the program ended. */
export interface Ended {
  code: number | null
  /** The signal that ended it: SIGSEGV where a parser crashed, SIGKILL where it was killed. */
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  ms: number
  timedOut: boolean
}

export interface Running {
  ended: Promise<Ended>
  kill: () => void
}

/** Starts the built program in a folder, without the machine's own settings; a run that takes longer than `limitMs` is killed. */
export function start(
  cwd: string,
  args: readonly string[],
  limitMs = 300_000,
  env: Record<string, string> = {},
): Running {
  if (!existsSync(PROGRAM)) throw new Error('dist/svc.js is missing: run npm run build')
  const began = performance.now()
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', chunk => out.push(chunk))
  child.stderr.on('data', chunk => err.push(chunk))
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    child.kill('SIGKILL')
  }, limitMs)
  const ended = new Promise<Ended>((done, failed) => {
    child.on('error', failed)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString('utf8')
      done({ code, signal, stdout: text(out), stderr: text(err), ms: performance.now() - began, timedOut })
    })
  })
  return { ended, kill: () => child.kill('SIGKILL') }
}

/** Runs the built program to its end. */
export function svc(
  cwd: string,
  args: readonly string[],
  limitMs?: number,
  env?: Record<string, string>,
): Promise<Ended> {
  return start(cwd, args, limitMs, env).ended
}

/** A temporary folder for as long as `work` takes; its path has no symbolic links. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-soak-')))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the last scan left in out/. */
export function lastRun(root: string): {
  id: string
  counts: { files: number }
  skipped: { path: string; reason: string; detail?: string }[]
} {
  return JSON.parse(readFileSync(join(root, 'out/run.json'), 'utf8'))
}

/** What a soak came to: how much was tried, what went wrong, and figures worth noting. */
export interface Soaked {
  tried: number
  /** Each a sentence; none is what is hoped for. */
  faults: string[]
  figures: Record<string, number | string>
}
