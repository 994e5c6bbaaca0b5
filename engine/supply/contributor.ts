import { resolve } from 'node:path'
import { isInside } from '../base/disk/project-write.ts'
import type { Contributor } from '../findings/contribution.ts'

/**
 * Known vulnerabilities of dependencies, where a database is configured, and that they are not known where none is; licenses, where there is a
 * policy; and signs of an attack by dependencies. A scan calls no service.
 */
const supply: Contributor = {
  name: 'supply',
  // It asks for the files that it needs.
  asksForEveryFile: false,
  // Packages that are installed in the repository tell their licenses; a database may be one of its directories.
  needsCheckout({ config: { root, vulns, licenses } }) {
    const { allow, deny, review } = licenses.policy
    const judgesLicenses = licenses.in_scan && allow.length + deny.length + review.length > 0
    const database = vulns.in_scan ? vulns.database : undefined
    return judgesLicenses || (database !== undefined && isInside(root, resolve(root, database)))
  },
  applies: ({ vulns, supply_chain, licenses: { policy, in_scan } }) =>
    vulns.in_scan ||
    supply_chain.in_scan ||
    (in_scan && policy.allow.length + policy.deny.length + policy.review.length > 0),

  async run(request, { cwd, env, signal }) {
    const { compileFormats } = await import('./inventory/select.ts')
    const formatOf = compileFormats()
    // Most changes are to no manifest, and end here: a commit waits for it.
    const manifests = request.selectFiles(path => formatOf(path) !== undefined, 'manifests')
    if (manifests.length === 0) return { findings: [], notEvaluated: [], notices: [] }
    const { contributeSupply } = await import('./contribute.ts')
    return await contributeSupply(request, manifests, { cwd, env, signal })
  },
}

export default supply
