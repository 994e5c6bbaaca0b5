import type { Contributor } from '../findings/contribution.ts'

/** The file with the organization's policy: named on the machine that scans, since the repository under scan must not choose it. */
const POLICY_VARIABLE = 'SVC_ORG_POLICY'

/** Where the settings of a repository are weaker than the organization's policy has it. */
const organization: Contributor = {
  name: 'organization',
  asksForEveryFile: false,
  needsCheckout: () => false,
  endsOnInvalidSettings: true,
  applies: (_config, env) => Boolean(env[POLICY_VARIABLE]?.trim()),

  async run({ config, scope }, { env }) {
    // A commit must cost nothing; the gate of the branch evaluates it.
    if (scope === 'staged') return { findings: [], notEvaluated: [], notices: [] }
    const { readOrganizationPolicy } = await import('./policy.ts')
    const { findDrift } = await import('./drift.ts')
    const { nameRepository } = await import('../sources/repository/repository-name.ts')
    const policy = await readOrganizationPolicy(env[POLICY_VARIABLE]!.trim())
    const today = new Date().toISOString().slice(0, 10)
    const project = nameRepository(config.root).replace(/^(?:origin|directory) /, '')
    return { findings: findDrift(policy, config, project, today), notEvaluated: [], notices: [] }
  },
}

export default organization
