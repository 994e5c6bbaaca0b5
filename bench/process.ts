import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What one run of a program took. */
export interface Measured {
  ms: number
  /** Time of the processor in the program and what it started, on Linux. */
  cpu_ms: number
  /** Peak resident memory, MB. */
  peak_mb: number
  code: number | null
}

/** Runs a program to its end, its output thrown away; peak memory is the kernel's own high-water mark, read every 20 ms. */
export function measure(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const before = readChildrenTime()
    const child = spawn(command, args, { cwd, stdio: 'ignore', env: { ...process.env, ...env } })
    let peak = 0
    const timer = setInterval(() => {
      try {
        const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))
        if (line) peak = Math.max(peak, Number(line[1]) / 1024)
      } catch {
        // It has just ended: the last reading stands.
      }
    }, 20)
    child.on('error', reject)
    child.on('close', code => {
      clearInterval(timer)
      const ms = performance.now() - started
      resolve({ ms, cpu_ms: readChildrenTime() - before, peak_mb: Math.round(peak), code })
    })
  })
}

/** Milliseconds of the processor of all children that have ended (proc(5): cutime and cstime, in hundredths of a second); 0 where the system has no such file. */
function readChildrenTime(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[13]) + Number(fields[14])) * 10
  } catch {
    return 0
  }
}

/** Rounds end when they have taken this long: a peer that takes minutes needs no median. */
const ENOUGH_MS = 120_000

/** The medians of several programs run in turn, so that what else the machine does falls on all of them alike. */
export async function sideBySide(rounds: number, programs: (() => Promise<Measured>)[]): Promise<Measured[]> {
  const all: Measured[][] = programs.map(() => [])
  const began = performance.now()
  for (let round = 0; round < rounds && (round === 0 || performance.now() - began < ENOUGH_MS); round++)
    for (const [i, program] of programs.entries()) all[i]!.push(await program())
  return all.map(runs => {
    const byTime = [...runs].sort((a, b) => a.ms - b.ms)
    const byProcessor = runs.map(run => run.cpu_ms).sort((a, b) => a - b)
    const cpu_ms = byProcessor[Math.floor(runs.length / 2)]!
    return { ...byTime[Math.floor(byTime.length / 2)]!, cpu_ms, peak_mb: Math.max(...runs.map(run => run.peak_mb)) }
  })
}

/** A row of bench/RESULTS.md. */
export interface Row {
  name: string
  figure: string
  target: string
  ok: boolean
}
