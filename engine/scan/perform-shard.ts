import { readBaseline } from '../findings/baseline-file.ts'
import { readSuppressions } from '../findings/suppression-file.ts'
import type { GovernedContext } from '../governance/context.ts'
import { READS_OBJECTS, type Shard } from './assign-shard.ts'
import type { ScanInput } from './perform.ts'
import { prepare } from './prepare.ts'
import type { ScannedShard } from './shard.ts'

/** Scans one shard of the repository's files and writes what came out to `out`; answers it with the folder. */
export async function performShard(
  input: ScanInput,
  shard: Shard,
  context: GovernedContext,
): Promise<ScannedShard & { folder: string }> {
  const absentAsObjects = context.env[READS_OBJECTS] === '1'
  const { config, request, out } = await prepare(input, context, { absentAsObjects })
  // What the whole is judged by is of no use here, but a fault in it is better found now than when all shards are done.
  const judging = { suppressions: await readSuppressions(config.root), baseline: readBaseline(config.root) }
  const { scanShard } = await import('./shard.ts')
  const scanned = await scanShard({ ...request, ...judging, now: () => new Date() }, shard, context)
  const { openSeal } = await import('../sources/state/cache-seal.ts')
  const { writeShard } = await import('./shard-folder.ts')
  return { ...scanned, folder: writeShard(out!, scanned, openSeal(context.env)) }
}
