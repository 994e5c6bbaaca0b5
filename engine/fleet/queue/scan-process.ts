import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DIST } from '../../base/disk/assets.ts'
import { locateThisProgram } from '../../hook/program.ts'
import { readFree } from '../source/transfer.ts'
import { JobFailure } from './queue.ts'

/** What a scanning process may take. */
export interface ScanLimits {
  /** Resident memory, in bytes; kept where the system tells it (Linux). */
  memory: number
  milliseconds: number
  /** Bytes of the disk that stay free: a scan may write files out. */
  free?: number
}

export interface ScanEnd {
  code: number
  /** What it printed, up to 64 KB of each. */
  stdout: string
  stderr: string
  /** Largest resident memory that was seen, in bytes. */
  peak: number
}

const LOOK_EVERY_MS = 250
const MOST_OUTPUT = 64 * 1024

/**
 * Runs svc with these arguments in a process of its own, so that the worker's is free to say that it still is there. Ends it, and everything that it
 * started, with the signal, beyond its limits, and when the worker ends in any way. Throws a JobFailure where the process did not end by itself.
 */
export function runScan(
  args: readonly string[],
  { cwd, env, signal, limits }: { cwd: string; env: Record<string, string>; signal: AbortSignal; limits: ScanLimits },
): Promise<ScanEnd> {
  signal.throwIfAborted()
  const { node, svc } = locateThisProgram()
  const leash = fileURLToPath(new URL('leash.js', DIST))
  const child = spawn(node, ['--require', leash, svc, ...args], {
    cwd,
    env,
    // A group of its own, which git and other processes of the scan belong to.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const printed = { stdout: '', stderr: '' }
  let peak = 0
  let stopped: Stopped | undefined
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.on('data', (chunk: Buffer) => {
      if (printed[name].length < MOST_OUTPUT) printed[name] += chunk.toString('utf8', 0, MOST_OUTPUT)
    })
  const kill = () => {
    try {
      if (process.platform === 'win32') child.kill('SIGKILL')
      else process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
  const looking = setInterval(async () => {
    peak = Math.max(peak, readResident(child.pid))
    const over = peak > limits.memory ? 'memory' : (await readFree(cwd)) < (limits.free ?? 0) ? 'disk' : undefined
    if (!over || stopped) return
    stopped = over
    kill()
  }, LOOK_EVERY_MS)
  const late = setTimeout(() => {
    stopped = 'time'
    kill()
  }, limits.milliseconds)
  signal.addEventListener('abort', kill, { once: true })
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      clearInterval(looking)
      clearTimeout(late)
      signal.removeEventListener('abort', kill)
      end()
    }
    child.on('error', error =>
      settle(() => reject(new JobFailure(`no process could be started: ${(error as NodeJS.ErrnoException).code}`))),
    )
    child.on('close', (code, ended) =>
      settle(() => {
        if (signal.aborted) reject(signal.reason)
        else if (code !== null) resolve({ code, ...printed, peak })
        else reject(describeEnd(stopped, ended, limits))
      }),
    )
  })
}

/** What a process was ended for. */
type Stopped = 'memory' | 'time' | 'disk'

function describeEnd(stopped: Stopped | undefined, ended: string | null, limits: ScanLimits): JobFailure {
  if (stopped === 'memory')
    return new JobFailure(`out of memory: the scan needed more than ${Math.round(limits.memory / 2 ** 20)} MB`)
  if (stopped === 'time')
    return new JobFailure(`the scan did not end within ${Math.round(limits.milliseconds / 1000)} seconds`)
  if (stopped === 'disk') return new JobFailure('the disk of the worker is nearly full')
  const perhaps = ended === 'SIGKILL' ? ', perhaps by the system for want of memory' : ''
  return new JobFailure(`the process that scans it was ended by ${ended}${perhaps}`)
}

/** Resident memory of a process in bytes; 0 where the system does not tell. */
function readResident(pid: number | undefined): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
