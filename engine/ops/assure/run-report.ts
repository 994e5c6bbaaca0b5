import { type } from 'arktype'
import { FORMAT_FILES, inOneString, renderReport } from '../../assure/report.ts'
import { storedModel } from '../../assure/stored.ts'
import { defineOperation } from '../../door/operation.ts'
import { repositoryRoot } from '../../sources/config/load.ts'
import { outputDirectory } from '../../sources/store/output-directory.ts'

/** The HTML report of a stored run, for a browser. */
export default defineOperation({
  id: 'assure.run-report',
  summary: 'Answer the HTML report of a stored run.',
  effect: 'read',

  cli: null,
  rest: 'GET /api/audit/runs/{run_id}/report',
  mcp: null,
  raw: { field: 'html', type: () => FORMAT_FILES.html.media },

  input: type({
    run_id: type('string > 0').describe('a run id, the beginning of one, or latest'),
    'framework?': type('string > 0').describe('the id of a framework; the report then holds what bears on it'),
    '+': 'reject',
  }),

  output: type({ run_id: 'string', html: 'string' }),

  async run({ run_id, framework }, { cwd, env, notice }) {
    const root = repositoryRoot(cwd)
    const model = await storedModel(root, await outputDirectory({ cwd, env }), run_id, { framework, env, notice })
    return { run_id: model.run.id, html: inOneString(renderReport('html', model)) }
  },

  text: ({ html }) => html,
})
