import { type } from 'arktype'
import { detectDrift } from '../../delivery/drift/detect.ts'
import { DriftType, UnknownDriftType } from '../../delivery/drift/schema.ts'
import { readLinks, traceRequirements } from '../../delivery/trace/gather.ts'
import { listRepository } from '../../delivery/trace/listing.ts'
import { TraceMatrixType } from '../../delivery/trace/schema.ts'
import { defineOperation } from '../../door/operation.ts'
import { readSection, type Section } from '../../pages/section.ts'
import { sectionType } from '../../pages/section-schema.ts'

const Data = type({
  matrix: TraceMatrixType,
  drifts: DriftType.array(),
  not_evaluated: UnknownDriftType.array(),
  unconfirmed: type('string[]').describe('requirements whose links nobody has confirmed'),
  compared: 'number.integer',
})

/** The requirements with their code and tests, and what drifted since it was confirmed. */
export default defineOperation({
  id: 'pages.requirements',
  summary: 'Return the requirements page: the trace matrix and the drift.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/pages/requirements',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: sectionType(Data),

  run: (_input, context): Promise<Section<typeof Data.infer>> =>
    readSection({ reason: 'This repository has no requirements yet.', command: 'svc generate-reqs' }, async () => {
      const { config, listing } = await listRepository(context)
      const { signal } = context
      const matrix = await traceRequirements({ config, listing, signal })
      if (matrix.sources.length === 0) return undefined
      const linked = await readLinks({ config, listing, signal })
      const { drifts, unknown, unconfirmed, compared } = await detectDrift(linked, {
        ...{ listing, maxBytes: config.scan.max_file_bytes, signal },
      })
      return { matrix, drifts, not_evaluated: unknown, unconfirmed, compared }
    }) as Promise<Section<typeof Data.infer>>,

  text: ({ state }) => `requirements: ${state}`,
})
