import { EngineError } from '../../base/errors.ts'
import type { Pack } from './pack.ts'

/** The tier of every built-in pack; it needs no licence (decisions "Licences, login, notary"). */
export const OPEN_TIER = 'open'

/** FORBIDDEN where the pack is of a tier that needs a licence: the open edition has none. */
export function requireTier({ id, tier }: Pick<Pack, 'id' | 'tier'>): void {
  if (tier === OPEN_TIER) return
  throw new EngineError(
    'FORBIDDEN',
    `The pack ${id} belongs to the tier ${tier}, which the open edition does not include.`,
    {
      hint: `Packs of the tier ${OPEN_TIER} need no licence.`,
    },
  )
}
