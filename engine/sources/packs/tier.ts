import { EngineError } from '../../base/errors.ts'
import { readLicense } from '../license/license.ts'
import type { Pack } from './pack.ts'

export { OPEN_TIER } from '../license/license.ts'

/** FORBIDDEN where the pack is of a tier that the repository's license does not cover; says how to get it. */
export function requireTier(
  { id, tier }: Pick<Pack, 'id' | 'tier'>,
  root: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): void {
  const { tiers, reason } = readLicense(root, env, new Date().toISOString().slice(0, 10))
  if (tiers.includes(tier)) return
  throw new EngineError(
    'FORBIDDEN',
    `The pack ${id} belongs to the tier ${tier}, which the license does not cover. ${reason}`,
    {
      hint: `Ask the issuer of the pack for a license of the tier ${tier}, and put it into .svc/license.json; \`svc license\` shows what holds.`,
    },
  )
}
