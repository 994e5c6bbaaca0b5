import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { checkAgentHook, HOOKED_AGENTS, installAgentHook } from '../../hook/agent-settings.ts'
import { locateHooks } from '../../hook/hooks-folder.ts'
import { checkInstall, installHook, readHookStatus } from '../../hook/install.ts'
import { locateThisProgram } from '../../hook/program.ts'
import { FORMER } from '../../hook/script.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'

/** Makes every commit pass `pre-commit-scan`. */
export default defineOperation({
  id: 'hook.install',
  summary: 'Install the pre-commit hook; an existing hook is kept and runs first.',
  effect: 'write',
  action: 'edit_config',
  cli: 'hook install',
  rest: null,
  mcp: null,
  input: type({
    force: type('boolean')
      .describe('true to install next to another hook tool, or into a directory shared by all repositories')
      .default(false),
    'agent?': type.enumerated(...HOOKED_AGENTS).configure(
      {
        description: `a coding agent (${HOOKED_AGENTS.join(', ')}) whose hook to install instead of the git hook`,
      },
      'self',
    ),
    '+': 'reject',
  }),
  output: type({
    hook: type('string').describe('the file of the hook'),
    was: type
      .enumerated('absent', 'installed', 'outdated', 'foreign')
      .configure({ description: 'the previous state of the hook' }, 'self'),
    former: type('boolean').describe('whether a previous hook is kept and runs first'),
  }),
  examples: [
    ['svc hook install', 'scan staged changes before each commit'],
    ['svc hook install --agent claude-code', 'check each change of an agent before it is made'],
  ],

  check: async ({ force, agent }, { cwd }) => {
    if (agent) checkAgentHook(findRepositoryRoot(cwd), agent)
    else checkInstall(await locateHooks(cwd), locateThisProgram(), { force })
  },

  async run({ force, agent }, { cwd }) {
    if (agent) return { ...installAgentHook(findRepositoryRoot(cwd), agent, locateThisProgram()), former: false }
    const folder = await locateHooks(cwd)
    const program = locateThisProgram()
    const was = installHook(folder, program, { force })
    const { hook, former } = readHookStatus(folder, program)
    return { hook, was, former }
  },

  text({ hook, was, former }, { paint }) {
    const done = {
      absent: 'Installed',
      foreign: 'Installed',
      outdated: 'Updated',
      installed: 'Already installed',
    }
    const lines = [`${paint('green', done[was])}: ${hook}.`]
    if (former) lines.push(`The previous hook is saved as ${FORMER} and runs first.`)
    if (hook.endsWith('.json'))
      return [...lines, 'The agent now asks `svc agent-hook` before and after each tool.'].join('\n')
    lines.push(
      'Each commit is now scanned; `svc pre-commit-scan` runs the same scan by hand, `svc hook uninstall` removes the hook.',
    )
    return lines.join('\n')
  },
})
