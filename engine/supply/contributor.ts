import type { Contributor } from '../findings/contribution.ts'

/** Known vulnerabilities of dependencies, where a database is configured, and that they are not known where none is: a scan calls no service. */
const supply: Contributor = {
  name: 'supply',
  // It asks for the files that it needs.
  asksForEveryFile: false,
  applies: config => config.vulns.in_scan,

  async run(request, { cwd, env, signal }) {
    const { compileFormats } = await import('./inventory/select.ts')
    const formatOf = compileFormats()
    // Most changes are to no manifest, and end here: a commit waits for it.
    const manifests = request.selectFiles(path => formatOf(path) !== undefined)
    if (manifests.length === 0) return { findings: [], notEvaluated: [], notices: [] }
    const { contributeVulnerabilities } = await import('./advisories/contribute.ts')
    return await contributeVulnerabilities(request, manifests, { cwd, env, signal })
  },
}

export default supply
