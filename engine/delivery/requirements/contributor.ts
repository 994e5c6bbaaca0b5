import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Contributor } from '../../findings/contribution.ts'
import { REQUIREMENTS_PATHS } from '../../sources/config/paths.ts'

/**
 * Wrong and dangling links of requirements, code that must have a requirement and has none, and drift: where the repository has requirements, in
 * whichever format. A part of the repository cannot show that a requirement or its code is missing.
 */
const requirements: Contributor = {
  name: 'requirements',
  prefixes: ['requirements', 'drift'],
  // Where there are requirements, it takes every file from the listing itself.
  asksForEveryFile: false,
  applies: () => true,

  async needsCheckout({ config: { root, requirements: settings }, selectFiles }) {
    if (settings.files.length > 0 || REQUIREMENTS_PATHS.some(path => existsSync(join(root, path)))) return true
    const { makeRequirementFilter } = await import('./collect.ts')
    return selectFiles(makeRequirementFilter(settings.files)).length > 0
  },

  async run({ config, listing, selectFiles, scope }, { signal }) {
    const nothing = { findings: [], notEvaluated: [], notices: [] }
    const { root, requirements: settings } = config
    if (scope === 'staged') return nothing
    const own = REQUIREMENTS_PATHS.find(path => existsSync(join(root, path)))
    const isNamed = settings.files.length > 0 || own !== undefined
    const { makeRequirementFilter, nameRequirementFilter } = await import('./collect.ts')
    const found = selectFiles(makeRequirementFilter(settings.files), nameRequirementFilter(settings.files))
    if (!isNamed && found.length === 0) return nothing
    if (scope !== 'everything' || listing.kind === 'bare') {
      const detail = 'A part of the repository was scanned, so requirements were not traced; `svc trace` traces them.'
      const file = own ?? found[0]?.path ?? REQUIREMENTS_PATHS[0]
      return { ...nothing, notices: [{ kind: 'requirements_not_traced', file, detail }] }
    }
    const whole = { ...listing, files: selectFiles(() => true) }
    if (!isNamed) {
      // A name may promise requirements that the file does not have.
      const { readRequirements } = await import('./read.ts')
      const { requirements: read, faults } = await readRequirements(whole, config, signal)
      if (read.length + faults.length === 0) return nothing
    }
    const { contributeRequirements } = await import('../trace/contribute.ts')
    return contributeRequirements(config, whole, signal)
  },
}

export default requirements
