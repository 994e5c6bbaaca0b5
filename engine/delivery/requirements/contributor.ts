import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Contributor } from '../../findings/contribution.ts'
import { REQUIREMENTS_PATHS } from '../../sources/config/paths.ts'

/**
 * Wrong and dangling links of requirements, code that must have a requirement and has none, and drift. Only where the repository has
 * requirements.yaml or `requirements.files` names further ones. A part of the repository cannot show that a requirement or its code is missing.
 */
const requirements: Contributor = {
  name: 'requirements',
  prefixes: ['requirements', 'drift'],
  asksForEveryFile: true,
  applies: ({ root, requirements: { files } }) =>
    files.length > 0 || REQUIREMENTS_PATHS.some(path => existsSync(join(root, path))),

  async run({ config, listing, scope }, { signal }) {
    const nothing = { findings: [], notEvaluated: [], notices: [] }
    if (scope === 'staged') return nothing
    if (scope !== 'everything' || listing.kind === 'bare') {
      const detail = 'A part of the repository was scanned, so requirements were not traced; `svc trace` traces them.'
      const file = REQUIREMENTS_PATHS.find(path => existsSync(join(config.root, path))) ?? REQUIREMENTS_PATHS[0]
      return { ...nothing, notices: [{ kind: 'requirements_not_traced', file, detail }] }
    }
    const { contributeRequirements } = await import('../trace/contribute.ts')
    return contributeRequirements(config, listing, signal)
  },
}

export default requirements
