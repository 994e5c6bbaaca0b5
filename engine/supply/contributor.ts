import type { Contributor } from '../findings/contribution.ts'

/** Known vulnerabilities of dependencies, where a database is configured: a scan calls no service, and others do not pay for it. */
const supply: Contributor = {
  name: 'supply',
  asksForEveryFile: true,
  applies: config => config.vulns.in_scan && config.vulns.database !== undefined,

  async run({ config, listing, scope }, { cwd, env, signal }) {
    if (scope === 'staged' || listing.kind === 'bare') return { findings: [], notEvaluated: [], notices: [] }
    const { contributeVulnerabilities } = await import('./advisories/contribute.ts')
    return await contributeVulnerabilities({ config, listing }, { cwd, env, signal })
  },
}

export default supply
