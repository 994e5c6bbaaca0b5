import { EngineError } from '../../base/errors.ts'
import { loadConfig } from '../../sources/config/load.ts'
import type { SubmitScans } from './receive.ts'

/** Queues scans for the workers of the fleet. TOOL_MISSING where none is configured. */
export const submitScans: SubmitScans = async (scans, { cwd, env }) => {
  const { fleet } = await loadConfig(cwd, { env })
  if (fleet.redis_url === undefined && !env.SVC_FLEET_REDIS_URL)
    throw new EngineError('TOOL_MISSING', 'No fleet is configured, so nothing can be queued.', {
      hint: 'Set fleet.redis_url and fleet.store, start `svc fleet worker`, and have the provider send the delivery again.',
    })
  throw new EngineError('TOOL_MISSING', `${scans.length} scans cannot be queued.`)
}
