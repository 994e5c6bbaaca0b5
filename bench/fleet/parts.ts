import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { MirrorCache } from '../../engine/fleet/source/mirror.ts'
import type { Part } from '../../engine/fleet/source/part.ts'
import { READS_OBJECTS } from '../../engine/scan/assign-shard.ts'
import type { Row } from '../process.ts'
import { readClock } from './clock.ts'

/** What a part of a division is measured with. */
interface Division {
  program: string
  /** For mirrors, shards and the run. */
  folder: string
  repository: string
  shards: number
}

/**
 * Processor time of each step of a divided repository, one after the other and without the queue: what the workers of one machine do, each for one shard,
 * and the merge on the first of them.
 */
export async function measureParts({ program, folder, repository, shards }: Division): Promise<Row[]> {
  mkdirSync(folder)
  const rows: Row[] = []
  const env = { PATH: process.env.PATH!, HOME: folder, SVC_CACHE_KEY: 'k'.repeat(40), [READS_OBJECTS]: '1' }
  const commit = execFileSync('git', ['-C', repository, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
  const { signal } = new AbortController()
  const address = { text: repository, name: repository, organization: 'local' }
  const svc = (cwd: string, out: string, ...args: string[]) =>
    execFileSync(process.execPath, [program, ...args, '--json', '--quiet'], {
      ...{ cwd, env: { ...env, SVC_OUTPUT_DIR: out }, stdio: ['ignore', 'ignore', 'inherit'] },
    })
  const sums = new Map<string, { user: number; system: number }>()
  let last = readClock()
  const lap = (step: string) => {
    const now = readClock()
    const sum = sums.get(step) ?? { user: 0, system: 0 }
    sums.set(step, { user: sum.user + now.user - last.user, system: sum.system + now.system - last.system })
    last = now
  }
  const use = async (worker: number, part: Part, run: (tree: string) => void, step: string) => {
    const mirrors = new MirrorCache(join(folder, `worker-${worker}`), {
      ...{ env, authorize: async () => undefined, limits: { bytes: 2e10, milliseconds: 3.6e6 }, most: 5e10 },
      shared: { folder: join(folder, 'mirrors'), listWorkers: () => [] },
    })
    lap('other')
    await mirrors.withCommit({ address, commit, part, ref: 'refs/heads/main' }, signal, async tree => {
      lap(`${step}: fetch and settings`)
      run(tree.folder)
      lap(`${step}: svc`)
    })
    lap(`${step}: removal`)
  }
  const out = (at: number) => join(folder, `out-${at}`)
  for (let at = 1; at <= shards; at++)
    await use(
      at,
      { index: at, count: shards },
      tree => svc(tree, out(at), 'scan', '--jobs', '1', '--shard', `${at}/${shards}`),
      'shards',
    )
  mkdirSync(out(0))
  const parts = Array.from({ length: shards }, (_, at) => join(out(at + 1), `shard-${at + 1}-of-${shards}`))
  await use(1, 'all', tree => svc(tree, out(0), 'merge', ...parts), 'merge')
  for (const [name, { user, system }] of sums)
    rows.push({
      ...{ name: `processor time of ${name}`, target: '', ok: true },
      figure: `${(user + system).toFixed(1)} s (${system.toFixed(1)} s in the system)`,
    })
  return rows
}
