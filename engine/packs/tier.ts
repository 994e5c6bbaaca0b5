import { EngineError } from '../errors.ts'
import type { Pack } from './pack.ts'

/** The tier of every built-in pack; it needs no licence (decisions "Licences, login, notary"). */
export const OPEN_TIER = 'open'

/** FORBIDDEN where the pack is of a tier that this installation's licence does not cover. */
export async function requireTier(_root: string, { id, tier }: Pack): Promise<void> {
  if (tier === OPEN_TIER) return
  throw new EngineError('FORBIDDEN', `The pack ${id} is of the tier ${tier}, which no licence here covers.`, {
    hint: 'See what the licence covers with `svc license`.',
  })
}
