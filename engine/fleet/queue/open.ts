import type { Context } from '../../base/context.ts'
import { type Config, findRepositoryRoot, loadConfig } from '../../sources/config/load.ts'
import { resolveRedis } from './connection.ts'
import type { FleetQueue } from './queue.ts'

/** Runs with the queue that the configuration or SVC_FLEET_REDIS_URL names, and closes it. */
export async function runWithQueue<T>(
  context: Pick<Context, 'cwd' | 'env'>,
  run: (queue: FleetQueue, config: Config) => Promise<T>,
): Promise<T> {
  const config = await loadConfig(findRepositoryRoot(context.cwd), { env: context.env })
  const address = resolveRedis(config, context.env)
  const { openQueue } = await import('./bull.ts')
  const queue = await openQueue(address)
  try {
    return await run(queue, config)
  } finally {
    await queue.close()
  }
}
