import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { renderVulnerabilityPage } from '../../supply/advisories/report-page.ts'
import { loadReport } from '../../supply/advisories/stored.ts'

/** The last result as a page that a person can read. */
export default defineOperation({
  id: 'supply.vulns-report',
  summary: 'Return the vulnerabilities of the last run as an HTML page.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/vulns/report',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    html: type('string').describe('a page without scripts'),
    vulnerable_count: 'number.integer',
    total_dependencies: 'number.integer',
  }),
  async run(_, context) {
    const report = await loadReport(false, context)
    const { vulnerable_count, total_dependencies } = report
    return { html: renderVulnerabilityPage(report), vulnerable_count, total_dependencies }
  },
  text: ({ html }) => html,
})
