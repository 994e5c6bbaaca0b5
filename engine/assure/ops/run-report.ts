import { type } from 'arktype'
import { repositoryRoot } from '../../config/load.ts'
import { defineOperation } from '../../operation.ts'
import { outputDirectory } from '../../output-directory.ts'
import { FORMAT_FILES, inOneString, renderReport } from '../report.ts'
import { storedModel } from '../stored.ts'

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
