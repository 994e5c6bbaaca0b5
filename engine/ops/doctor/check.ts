import { type } from 'arktype'
import { attempt, STATES } from '../../doctor/check.ts'
import { checkGrammars } from '../../doctor/grammars.ts'
import { checkConfig, checkDisk, checkOutput, checkRepository, checkWritable } from '../../doctor/project.ts'
import { checkDuckdb, checkGit, checkNode } from '../../doctor/tools.ts'
import { defineOperation } from '../../door/operation.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { resolveOutputDirectory } from '../../sources/store/output-directory.ts'

const REINSTALL = 'Run `npm install` again in the directory where svc is installed.'

/** The doctor: whether everything is there that svc needs on this machine and in this project. It changes nothing. */
export default defineOperation({
  id: 'doctor.check',
  summary: 'Check the installation: Node, git, grammars, database, permissions, disk, configuration.',
  effect: 'read',
  action: null,
  cli: 'install-check',
  rest: null,
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    healthy: 'boolean',
    checks: type({ name: 'string', state: type.enumerated(...STATES), detail: 'string', 'next?': 'string' }).array(),
  }),
  examples: [['svc install-check', 'show what is missing and how to install it']],

  async run(_input, { cwd, env }) {
    const root = findRepositoryRoot(cwd)
    const checks = [
      checkNode(),
      await attempt('git', 'Install git and see that it is on the PATH.', () => checkGit(root)),
      await attempt('grammars', REINSTALL, checkGrammars),
      await attempt('duckdb', REINSTALL, checkDuckdb),
      checkRepository(root),
      checkWritable(root, '.svc'),
      await attempt('output', 'Name another directory: output_dir in .svc/config.yaml.', async () =>
        checkOutput(root, await resolveOutputDirectory({ cwd, env })),
      ),
      await attempt('disk', 'Check the disk of the project.', () => checkDisk(root)),
      await attempt('configuration', 'Run `svc validate-config`.', () => checkConfig(cwd, env)),
    ]
    return { healthy: checks.every(({ state }) => state !== 'fail'), checks }
  },

  text({ healthy, checks }, { paint }) {
    const wide = Math.max(...checks.map(({ name }) => name.length))
    const colour = { ok: 'green', warn: 'yellow', fail: 'red' } as const
    const lines = checks.flatMap(({ name, state, detail, next }) => [
      `${paint(colour[state], state.padEnd(4))}  ${name.padEnd(wide)}  ${detail}`,
      ...(next === undefined ? [] : [`${' '.repeat(wide + 8)}${paint('dim', next)}`]),
    ])
    return [...lines, '', healthy ? 'svc can work here.' : 'Something that svc needs is missing.'].join('\n')
  },

  exit: ({ healthy }) => (healthy ? 0 : 69),
})
