import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { VULNERABILITY_REPORT } from '../../supply/advisories/report-schema.ts'
import { loadReport } from '../../supply/advisories/stored.ts'
import { formatVulnerabilities } from '../../supply/advisories/text.ts'
import type { VulnerabilityReport } from '../../supply/advisories/vulnerability.ts'

/** The vulnerabilities of the last run, or of a new one. */
export default defineOperation({
  id: 'supply.vulnerabilities',
  summary: 'Return the known vulnerabilities of dependencies, from the last run or a new one.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/vulns',
  mcp: 'get_vulnerabilities',
  input: type({
    refresh: type('boolean').describe('true or false: look again instead of returning the last result').default(false),
    '+': 'reject',
  }),
  output: type(VULNERABILITY_REPORT),
  async run({ refresh }, context) {
    const { readImportedPackages } = await import('../../quality/architecture/imported.ts')
    return await loadReport(refresh, context, { readImports: readImportedPackages })
  },
  text: (report, view) => formatVulnerabilities(report as unknown as VulnerabilityReport, view),
})
