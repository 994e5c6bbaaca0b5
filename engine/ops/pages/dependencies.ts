import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { readSection } from '../../pages/section.ts'
import { sectionType } from '../../pages/section-schema.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { discover } from '../../sources/repository/discover.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'
import { VULNERABILITY_REPORT } from '../../supply/advisories/report-schema.ts'
import { loadReport } from '../../supply/advisories/stored.ts'
import { findWhy } from '../../supply/inventory/why.ts'
import { readLicenseReport } from '../../supply/licenses/perform.ts'
import { LICENSE_REPORT } from '../../supply/licenses/report-schema.ts'

const Component = type({
  id: 'string',
  name: 'string',
  ecosystem: 'string',
  'version?': 'string',
  'requirement?': 'string',
  scope: 'string',
  direct: 'boolean',
  'license?': 'string',
  locations: type({ file: 'string', 'line?': 'number.integer' }).array(),
  why: type('string[]').describe('the shortest way to it: names from a direct dependency to the component'),
})

/** The components with the reason for each, and what is known of their vulnerabilities and licenses. */
export default defineOperation({
  id: 'pages.dependencies',
  summary: 'Return the dependencies page: components and why they are there, vulnerabilities, licenses.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/pages/dependencies',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    components: Component.array(),
    manifests: type({ file: 'string', state: 'string', 'detail?': 'string' }).array(),
    vulnerabilities: sectionType(type(VULNERABILITY_REPORT) as never),
    licenses: sectionType(type(LICENSE_REPORT) as never),
  }),

  async run(_input, context) {
    const { signal } = context
    const config = await loadConfig(context.cwd, { env: context.env })
    const { readInventory } = await import('../../supply/inventory/read.ts')
    const listing = await discover(config.root, { exclude: config.scan_exclude, signal })
    const { components, manifests } = await readInventory(listing, { signal })
    const why = findWhy(components)
    return {
      components: components.map(each => ({
        ...{ id: each.id, name: each.name, ecosystem: each.ecosystem, scope: each.scope, direct: each.direct },
        ...(each.version !== undefined && { version: each.version }),
        ...(each.requirement !== undefined && { requirement: each.requirement }),
        ...(each.license !== undefined && { license: each.license }),
        locations: each.locations,
        why: why.get(each.id) ?? [],
      })),
      manifests: manifests.map(({ file, state, detail }) => ({ file, state, ...(detail !== undefined && { detail }) })),
      vulnerabilities: await readSection(
        { reason: 'No vulnerabilities have been looked for in this repository.', command: 'svc vulns' },
        async () => (await loadReport(false, context)) as unknown,
      ),
      licenses: await readSection(
        { reason: 'The licenses have not been read yet.', command: 'svc licenses' },
        async () => readLicenseReport(locateOutput(config.root, context.env, config.output_dir)) as unknown,
      ),
    }
  },

  text: ({ components, vulnerabilities }) =>
    `${components.length} components; vulnerabilities: ${vulnerabilities.state}`,
})
