import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkout } from './checkout.ts'
import { halfRuns } from './kills.ts'
import { inFolder, PROGRAM } from './program.ts'
import { Random } from './random.ts'

/** A process that does not end by itself is a fault; it is killed after this time, in milliseconds. */
const LIMIT_MS = 120_000
/** A file that changes before each scan, so that two scans write different results. */
const CHANGING = 'changing.py'
const SCAN = ['scan', '--quiet', '--no-cache']

/** The machine around the process: `one thread` scans with `--jobs 1`. */
export const STATES = ['idle', 'loaded', 'one thread'] as const
export type State = (typeof STATES)[number]

/** One kind of exit: what is started, what is done to it, and how it may end. */
interface Exit {
  args: readonly string[]
  /** Does what ends it, some time after the start; `ms` is a random part of the time that a scan takes. */
  provoke?: (child: ChildProcess, ms: number) => void
  /** Exit codes and signals that Node promises for it. */
  ends: readonly (number | NodeJS.Signals)[]
  env?: (ms: number) => Record<string, string>
  /** For processes that stay until they are told to end: the time after which they are told, in place of a part of a scan's. */
  stays?: true
}

const after = (ms: number, act: () => void) => void setTimeout(act, ms)
const send =
  (...signals: NodeJS.Signals[]) =>
  (child: ChildProcess, ms: number) => {
    signals.forEach((signal, index) => {
      after(ms + 30 * index, () => child.kill(signal))
    })
  }
/** Throws an error that nothing catches, from a timer of the program's own thread. */
const planted = (ms: number) => {
  const code = `import{isMainThread}from'node:worker_threads';if(isMainThread)setTimeout(()=>{throw new Error('planted')},${ms}).unref()`
  return { NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(code).toString('base64')}` }
}

/** Every way out of a process of svc. A scan that a signal meets too late has finished. */
export const EXITS: Readonly<Record<string, Exit>> = {
  finished: { args: SCAN, ends: [0] },
  'usage error': { args: ['scan', '--no-such-option'], ends: [64] },
  'configuration error': { args: [...SCAN, '--config', CHANGING], ends: [64] },
  'closed pipe': { args: [...SCAN, '--json'], provoke: child => child.stdout!.destroy(), ends: [0] },
  SIGINT: { args: SCAN, provoke: send('SIGINT'), ends: [0, 'SIGINT'] },
  SIGTERM: { args: SCAN, provoke: send('SIGTERM'), ends: [0, 'SIGTERM'] },
  SIGHUP: { args: SCAN, provoke: send('SIGHUP'), ends: [0, 'SIGHUP'] },
  'SIGINT twice': { args: SCAN, provoke: send('SIGINT', 'SIGINT'), ends: [0, 'SIGINT'] },
  'SIGINT, SIGTERM': { args: SCAN, provoke: send('SIGINT', 'SIGTERM'), ends: [0, 'SIGINT', 'SIGTERM'] },
  'uncaught error': { args: SCAN, env: planted, ends: [0, 70] },
  'MCP server, standard input closed': {
    args: ['mcp-server'],
    provoke: (child, ms) => after(ms, () => child.stdin!.end()),
    ends: [0],
    stays: true,
  },
  'MCP server, SIGTERM': { args: ['mcp-server'], provoke: send('SIGTERM'), ends: [0, 'SIGTERM'], stays: true },
  'dashboard, SIGTERM': {
    args: ['dashboard', '--port', '0'],
    provoke: send('SIGTERM'),
    ends: [0, 'SIGTERM'],
    stays: true,
  },
}

/** How often one kind of exit ended how, in one state of the machine. */
export interface Row {
  exit: string
  state: State
  /** Tries by exit code or signal. */
  outcomes: Record<string, number>
  /** Each a sentence; none is expected. */
  faults: string[]
}

export interface InterruptOptions {
  /** Tries of each kind of exit in each state. */
  tries: number
  seed: number
  /** Files of the repository that is scanned. */
  files: number
  exits?: readonly string[]
  states?: readonly State[]
}

/**
 * Ends processes of svc in every way there is, at random moments, and holds them against what Node promises: the exit code, or
 * death by the signal that was sent. After each, `out/` holds a whole run, and after the next scan no temporary file is left.
 */
export async function interrupts({ tries, seed, files, ...among }: InterruptOptions): Promise<Row[]> {
  return inFolder(async folder => {
    const random = new Random(seed)
    const root = checkout(join(folder, 'repo'), files)
    const temporary = join(folder, 'temporary')
    mkdirSync(temporary)
    const rows: Row[] = []
    for (const state of among.states ?? STATES) {
      const busy = state === 'loaded' ? [0, 1].map(() => spawn(process.execPath, ['-e', 'for(;;);'])) : []
      try {
        const scan = await endOf({ args: SCAN, ends: [0] }, 0, { root, temporary, state })
        if (scan.end !== 0) throw new Error(`The first scan ended with ${scan.end}: ${scan.stderr}`)
        for (const [name, exit] of Object.entries(EXITS)) {
          if (among.exits !== undefined && !among.exits.includes(name)) continue
          const row: Row = { exit: name, state, outcomes: {}, faults: [] }
          rows.push(row)
          for (let i = 0; i < tries; i++) {
            writeFileSync(join(root, CHANGING), `import yaml\nyaml.load(input(), Loader=yaml.Loader)\n# ${i}\n`)
            const ms = random.below(exit.stays ? 1500 : scan.ms * 1.1)
            const { end, stderr } = await endOf(exit, ms, { root, temporary, state })
            row.outcomes[end] = (row.outcomes[end] ?? 0) + 1
            const faults = halfRuns(root)
            if (!exit.ends.includes(end)) faults.push(`ended with ${end}: ${stderr}`)
            if (lastRun(root) === undefined) faults.push('out/ holds no run')
            row.faults.push(...faults.map(fault => `${name}, ${state}, after ${ms} ms: ${fault}`))
          }
        }
        await endOf({ args: SCAN, ends: [0] }, 0, { root, temporary, state })
        const left = [...temporaries(root), ...readdirSync(temporary)]
        if (left.length > 0) rows.at(-1)?.faults.push(`${state}: temporary files are left: ${left.join(', ')}`)
      } finally {
        for (const child of busy) child.kill('SIGKILL')
      }
    }
    return rows
  })
}

interface Where {
  root: string
  temporary: string
  state: State
}

/** Starts a process, provokes its end, and waits for it. */
function endOf({ args, env, provoke }: Exit, ms: number, { root, temporary, state }: Where) {
  const own = args[0] === 'scan' && state === 'one thread' ? [...args, '--jobs', '1'] : args
  const began = performance.now()
  const child = spawn(process.execPath, [PROGRAM, ...own], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: dirname(root), TMPDIR: temporary, GIT_CONFIG_NOSYSTEM: '1', ...env?.(ms) },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stdout.resume()
  child.stderr.on('data', text => (stderr += text))
  provoke?.(child, ms)
  return new Promise<{ end: number | NodeJS.Signals; stderr: string; ms: number }>((done, failed) => {
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
    child.on('error', failed)
    child.on('close', (code, signal) => {
      clearTimeout(limit)
      done({ end: signal ?? code!, stderr, ms: performance.now() - began })
    })
  })
}

/** The id of the run that `out/` holds. */
function lastRun(root: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(root, 'out/run.json'), 'utf8')) as { id: string }).id
  } catch {
    return undefined
  }
}

/** Files and folders in the making below the folders that svc writes to. */
function temporaries(root: string): string[] {
  return ['out', '.svc'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter(name =>
      /(^|\/)(\.tmp-|\.turn)|\.tmp(\/|$)|at-work-/.test(name),
    ),
  )
}
