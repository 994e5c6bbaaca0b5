import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkout } from './checkout.ts'
import { inFolder, type Soaked, start, svc } from './program.ts'
import { Random } from './random.ts'

/** A file that changes between the scans that are killed, so that a warm scan has something to look at. */
const CHANGING = 'changing.py'
const STATES = ['yaml.unsafe_load(input())\n', 'import yaml\nyaml.load(input(), Loader=yaml.Loader)\n'] as const

/**
 * Kills scans with SIGKILL, each at a random moment of its time, half of them without and half with what an earlier scan has
 * left; after each, the next commands must work, no half run may be visible, and the cache must give what a scan without one finds.
 */
export async function kills({ count, seed, files }: { count: number; seed: number; files: number }): Promise<Soaked> {
  return inFolder(async folder => {
    const random = new Random(seed)
    const root = checkout(join(folder, 'repo'), files)
    const soaked: Soaked = { tried: 0, faults: [], figures: {} }
    const truth: string[] = []
    let cold = 0
    for (const state of STATES) {
      writeFileSync(join(root, CHANGING), state)
      const { ms, code, stderr } = await svc(root, ['scan', '--no-cache', '--quiet'])
      if (code !== 0) throw new Error(`The scan to compare with failed: ${stderr}`)
      cold = Math.max(cold, ms)
      truth.push(findings(root))
    }
    const { ms: first } = await svc(root, ['scan', '--quiet'])
    const { ms: warm } = await svc(root, ['scan', '--quiet'])
    let finished = 0
    for (const kind of ['cold', 'warm'] as const) {
      for (let i = 0; i < count; i++) {
        if (kind === 'cold')
          for (const path of ['out', '.svc/local']) rmSync(join(root, path), { recursive: true, force: true })
        const state = i % STATES.length
        writeFileSync(join(root, CHANGING), STATES[state]!)
        const scan = start(root, ['scan', '--quiet'])
        const at = random.below((kind === 'cold' ? Math.max(cold, first) : warm) * 1.1)
        const timer = setTimeout(scan.kill, at)
        const { signal } = await scan.ended
        clearTimeout(timer)
        if (signal === null) finished++
        soaked.tried++
        for (const fault of await faultsAfter(root, truth[state]!))
          soaked.faults.push(`${kind} scan killed after ${at} ms: ${fault}`)
      }
    }
    soaked.figures['killed before they had ended'] = soaked.tried - finished
    soaked.figures['a cold scan, ms'] = Math.round(cold)
    soaked.figures['a warm scan, ms'] = Math.round(warm)
    return soaked
  })
}

async function faultsAfter(root: string, truth: string): Promise<string[]> {
  const faults = halfRuns(root)
  const list = await svc(root, ['history-report', '--list', '--json'])
  const stored = folders(root)
  if (list.code === 0) {
    const { runs, damaged } = JSON.parse(list.stdout) as { runs: { id: string }[]; damaged: unknown[] }
    if (damaged.length > 0) faults.push(`the history is damaged: ${JSON.stringify(damaged)}`)
    if (runs.length !== stored.length) faults.push(`${runs.length} of ${stored.length} runs are listed`)
  } else if (!(list.code === 66 && stored.length === 0))
    faults.push(`history-report ended with ${list.code}: ${list.stderr}`)
  const next = await svc(root, ['scan', '--quiet'])
  if (next.timedOut) faults.push('the next scan came to no end in its time')
  else if (next.code !== 0) faults.push(`the next scan ended with ${next.code ?? next.signal}: ${next.stderr}`)
  else if (findings(root) !== truth) faults.push('the next scan finds something else than a scan without a cache')
  return faults
}

/** What a reader would stumble over: files that are not whole, runs that lack a file. */
export function halfRuns(root: string): string[] {
  const faults: string[] = []
  const out = join(root, 'out')
  for (const id of folders(root)) {
    const names = readdirSync(join(out, 'history', id))
      .sort()
      .join(' ')
    if (names !== 'files.parquet findings.parquet run.json') faults.push(`the run ${id} has the files ${names}`)
  }
  for (const name of ['run.json', 'findings.json', 'report.sarif', 'report.gitlab.json']) {
    if (!existsSync(join(out, name))) continue
    try {
      JSON.parse(readFileSync(join(out, name), 'utf8'))
    } catch (error) {
      faults.push(`out/${name} is not whole: ${(error as Error).message}`)
    }
  }
  return faults
}

function folders(root: string): string[] {
  const history = join(root, 'out/history')
  return existsSync(history) ? readdirSync(history).filter(name => !name.startsWith('.')) : []
}

/** The findings of the last scan, as they were written. */
export function findings(root: string): string {
  return readFileSync(join(root, 'out/findings.json'), 'utf8')
}
