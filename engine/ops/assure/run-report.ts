import { type } from 'arktype'
import { FORMAT_FILES, joinPieces, renderReport } from '../../assure/report.ts'
import { loadStoredModel } from '../../assure/stored.ts'
import { defineOperation } from '../../door/operation.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { resolveOutputDirectory } from '../../sources/store/output-directory.ts'

/** The HTML report of a stored run, for a browser. */
export default defineOperation({
  id: 'assure.run-report',
  summary: 'Return the HTML report of a stored run.',
  effect: 'read',

  cli: null,
  rest: 'GET /api/audit/runs/{run_id}/report',
  mcp: null,
  raw: { field: 'html', type: () => FORMAT_FILES.html.media },

  input: type({
    run_id: type('string > 0').describe('a run id, its prefix, or latest'),
    'framework?': type('string > 0').describe('a framework id; limits the report to its controls'),
    '+': 'reject',
  }),

  output: type({ run_id: 'string', html: 'string' }),

  async run({ run_id, framework }, { cwd, env, notice }) {
    const root = findRepositoryRoot(cwd)
    const model = await loadStoredModel(root, await resolveOutputDirectory({ cwd, env }), run_id, {
      framework,
      env,
      notice,
    })
    return { run_id: model.run.id, html: joinPieces(renderReport('html', model)) }
  },

  text: ({ html }) => html,
})
