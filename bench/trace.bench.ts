// Requirements of a repository of 20,000 files: the matrix, and the impact of a change of 50 files.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { measure, type Row } from './process.ts'
import { makeTraceTree } from './trace-tree.ts'

const PROGRAM = resolve(import.meta.dirname, '../dist/svc.js')
const CHANGED = 50

export async function bench(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-trace-'))
  const before = process.env.XDG_CACHE_HOME
  process.env.XDG_CACHE_HOME = join(folder, 'cache')
  try {
    const root = makeTraceTree(folder)
    const trace = await fastest(3, ['trace'], root)
    for (let file = 0; file < CHANGED; file++) {
      const path = join(root, `src/m${file}/f${String(file * 100 + 7).padStart(5, '0')}.ts`)
      writeFileSync(path, readFileSync(path, 'utf8').replace('let count = 0', 'let count = 1 - 1'))
    }
    execFileSync('git', ['add', '-A'], { cwd: root })
    const cold = await fastest(1, ['impact'], root)
    const warm = await fastest(3, ['impact'], root)
    const name = (what: string) => `20,000 files, 2,000 requirements: ${what}`
    return [
      { name: name('trace'), figure: seconds(trace), target: '≤ 3 s', ok: trace <= 3000 },
      { name: name(`impact of ${CHANGED} staged files, nothing kept`), figure: seconds(cold), target: '', ok: true },
      { name: name(`impact of ${CHANGED} staged files`), figure: seconds(warm), target: '≤ 1 s', ok: warm <= 1000 },
    ]
  } finally {
    if (before === undefined) delete process.env.XDG_CACHE_HOME
    else process.env.XDG_CACHE_HOME = before
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fastest(times: number, args: readonly string[], root: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let time = 0; time < times; time++) best = Math.min(best, (await measure('node', [PROGRAM, ...args], root)).ms)
  return best
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
