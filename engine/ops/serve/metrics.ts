import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { EXPOSITION_TYPE, formatExposition } from '../../telemetry/exposition.ts'
import { readFleetFigures } from '../../telemetry/fleet.ts'
import { readOrganizationFigures } from '../../telemetry/organization.ts'
import { readProcessFigures, readRepositoryFigures } from '../../telemetry/repository.ts'

/** Figures of the server, its repository and the organization, for Prometheus. */
export default defineOperation({
  id: 'serve.metrics',
  summary: 'Metrics of the server, the repository and the run store, in the text format of Prometheus.',
  effect: 'read',
  action: 'read_metrics',
  cli: null,
  rest: 'GET /metrics',
  mcp: null,
  raw: { field: 'content', type: () => EXPOSITION_TYPE },
  input: type({ '+': 'reject' }),
  output: type({ content: 'string' }),

  async run(_input, context) {
    const [repository, organization, fleet] = await Promise.all([
      readRepositoryFigures(context),
      readOrganizationFigures(context),
      readFleetFigures(context),
    ])
    return {
      content: formatExposition([
        ...readProcessFigures(),
        ...(context.figures?.() ?? []),
        ...repository,
        ...organization,
        ...fleet,
      ]),
    }
  },

  text: ({ content }) => content,
})
