import { join } from 'node:path'
import { type } from 'arktype'
import type { Listing } from '../../base/records/source-file.ts'
import { detectDrift } from '../../delivery/drift/detect.ts'
import { DriftType, UnknownDriftType } from '../../delivery/drift/schema.ts'
import { readLinks, traceRequirements } from '../../delivery/trace/gather.ts'
import { listRepository } from '../../delivery/trace/listing.ts'
import { TraceMatrixType } from '../../delivery/trace/schema.ts'
import { listTestReports } from '../../delivery/trace/test-runs.ts'
import { defineOperation } from '../../door/operation.ts'
import { FileState } from '../../pages/file-state.ts'
import { keepAnswer } from '../../pages/kept.ts'
import { readSection, type Section } from '../../pages/section.ts'
import { sectionType } from '../../pages/section-schema.ts'
import { runGit } from '../../sources/repository/git.ts'

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
      const state = new FileState()
      const { config, listing } = await listRepository(context)
      const { signal } = context
      const paths = listing.files.map(({ path }) => path)
      state.add([config.requirements, config.scan, await readBranches(listing, signal)])
      for (const path of listTestReports(listing.root, paths, config.requirements.test_results))
        state.addFile(join(listing.root, path))
      return keepAnswer(`requirements ${config.root}`, state.addTree(listing).digest(), async () => {
        const matrix = await traceRequirements({ config, listing, signal })
        if (matrix.sources.length === 0) return undefined
        const linked = await readLinks({ config, listing, signal })
        const { drifts, unknown, unconfirmed, compared } = await detectDrift(linked, {
          ...{ listing, maxBytes: config.scan.max_file_bytes, signal },
        })
        return { matrix, drifts, not_evaluated: unknown, unconfirmed, compared }
      })
    }) as Promise<Section<typeof Data.infer>>,

  text: ({ state }) => `requirements: ${state}`,
})

/** The branches with their commits: their names, and the history that they lead to, are linked to requirements. */
async function readBranches({ root, kind }: Listing, signal: AbortSignal): Promise<string> {
  if (kind !== 'git') return ''
  return (await runGit(root, ['for-each-ref'], { signal })).toString('latin1')
}
