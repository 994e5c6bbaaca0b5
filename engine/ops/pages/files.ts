import { type } from 'arktype'
import { SeverityType } from '../../base/records/finding-schema.ts'
import { defineOperation } from '../../door/operation.ts'
import { readSection, type Section } from '../../pages/section.ts'
import { sectionType } from '../../pages/section-schema.ts'
import { runWithStore } from '../../sources/store/open.ts'
import { RunRef } from '../../sources/store/run-schema.ts'
import { StoredFileType } from '../../sources/store/stored-file-schema.ts'

const Data = type({
  run_id: 'string',
  files: StoredFileType.array().describe('the scanned files with their metrics'),
  findings: type({ file: 'string', severity: SeverityType, count: 'number.integer' }).array(),
})

/** The files of a run with their metrics, and the findings in each by severity: what a treemap is drawn of. */
export default defineOperation({
  id: 'pages.files',
  summary: 'Return the files page: the files of a run, their metrics and findings.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/pages/files',
  mcp: null,
  input: type({ run_id: RunRef.default('latest'), '+': 'reject' }),
  output: sectionType(Data),

  revision: ({ run_id }, context) =>
    runWithStore(context, async store => {
      const run = await readSection({ reason: '', command: '' }, () => store.run(run_id))
      return run.data?.id
    }),

  run: ({ run_id }, context): Promise<Section<typeof Data.infer>> =>
    readSection({ reason: 'This repository has not been scanned yet.', command: 'svc scan' }, () =>
      runWithStore(context, async store => {
        const { id } = await store.run(run_id)
        return { run_id: id, files: await store.files(id), findings: await store.findingCounts(id) }
      }),
    ),

  text: ({ state }) => `files: ${state}`,
})
