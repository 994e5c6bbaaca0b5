import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { loadLicenseReport } from '../../supply/licenses/perform.ts'
import type { LicenseReport } from '../../supply/licenses/report.ts'
import { LICENSE_REPORT } from '../../supply/licenses/report-schema.ts'
import { formatLicenses } from '../../supply/licenses/text.ts'

/** The licenses of the last run, or of a new one. */
export default defineOperation({
  id: 'supply.license-report',
  summary: 'Return the licenses of dependencies, from the last run or a new one.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/licenses',
  mcp: null,
  input: type({
    refresh: type('boolean')
      .describe('true or false: read the licenses again, and ask registries, instead of returning the last result')
      .default(false),
    '+': 'reject',
  }),
  output: type(LICENSE_REPORT),
  run: ({ refresh }, context) => loadLicenseReport({ refresh, registry: refresh }, context),
  text: (report, view) => formatLicenses(report as unknown as LicenseReport, view),
})
