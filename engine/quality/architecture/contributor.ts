import type { Contributor } from '../../findings/contribution.ts'
import { findRulesPath } from './rules-path.ts'

/** Violations of architecture.yaml, where the repository has one. */
const architecture: Contributor = {
  name: 'architecture',
  asksForEveryFile: true,
  // Where imports lead, the disk tells.
  needsCheckout: () => true,
  endsOnInvalidSettings: true,
  applies: config => findRulesPath(config.root) !== undefined,

  async run({ config, listing, scope }, { signal }) {
    const nothing = { findings: [], notEvaluated: [], notices: [] }
    if (scope === 'staged') return nothing
    const detail =
      listing.kind === 'bare'
        ? 'Imports are resolved in a work tree, and this repository has none.'
        : 'A part of the repository was scanned, so the architecture rules were not checked; `svc check-arch` checks them.'
    if (scope !== 'everything' || listing.kind === 'bare')
      return { ...nothing, notices: [{ kind: 'architecture_not_checked', file: findRulesPath(config.root)!, detail }] }
    const { contribute } = await import('./contribute.ts')
    return contribute(config, listing, signal)
  },
}

export default architecture
