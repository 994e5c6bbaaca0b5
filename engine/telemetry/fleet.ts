import type { Context } from '../base/context.ts'
import { REDIS_VARIABLE } from '../fleet/queue/connection.ts'
import { runWithQueue } from '../fleet/queue/open.ts'
import type { FleetStatus } from '../fleet/queue/queue.ts'
import { loadConfig } from '../sources/config/load.ts'
import type { Figure } from './figure.ts'

/** Figures of the fleet; none where no queue is configured. Of a queue that does not answer only that is known. */
export async function readFleetFigures(context: Pick<Context, 'cwd' | 'env'>): Promise<Figure[]> {
  const { fleet } = await loadConfig(context.cwd, { env: context.env })
  if (fleet.redis_url === undefined && !context.env[REDIS_VARIABLE]) return []
  const status = await runWithQueue(context, queue => queue.status({ last: 1 })).catch(() => undefined)
  return [
    figure('svc_fleet_up', 'Whether the queue of the fleet answers.', 'gauge', [{ value: status ? 1 : 0 }]),
    ...(status ? makeFigures(status) : []),
  ]
}

function makeFigures({ waiting, delayed, divided, running, dead, workers, store }: FleetStatus): Figure[] {
  const states = {
    waiting: Object.values(waiting).reduce((sum, count) => sum + count, 0),
    delayed,
    divided,
    running,
    dead,
  }
  return [
    figure(
      'svc_fleet_jobs',
      'Jobs of the fleet by their state.',
      'gauge',
      Object.entries(states).map(([state, value]) => ({ labels: { state }, value })),
    ),
    figure('svc_fleet_workers', 'Workers that reported within the last minute.', 'gauge', [{ value: workers.length }]),
    figure('svc_fleet_store_retries_total', 'Requests of workers to the store that were repeated.', 'counter', [
      { value: store.retries },
    ]),
    figure('svc_fleet_store_failures_total', 'Requests of workers to the store that failed.', 'counter', [
      { value: store.failures },
    ]),
  ]
}

function figure(name: string, help: string, type: Figure['type'], samples: Figure['samples']): Figure {
  return { name, help, type, samples }
}
