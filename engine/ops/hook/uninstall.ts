import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { checkAgentHook, HOOKED_AGENTS, uninstallAgentHook } from '../../hook/agent-settings.ts'
import { locateHooks } from '../../hook/hooks-folder.ts'
import { readHookStatus, uninstallHook } from '../../hook/install.ts'
import { locateThisProgram } from '../../hook/program.ts'
import { FORMER } from '../../hook/script.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'

/** Leaves the hooks as they were before `hook install`. */
export default defineOperation({
  id: 'hook.uninstall',
  summary: 'Uninstall the pre-commit hook, and restore the previous hook.',
  effect: 'write',
  action: 'edit_config',
  weakens: true,
  cli: 'hook uninstall',
  rest: null,
  mcp: null,
  input: type({
    'agent?': type
      .enumerated(...HOOKED_AGENTS)
      .configure(
        { description: `a coding agent (${HOOKED_AGENTS.join(', ')}) whose hook to remove instead of the git hook` },
        'self',
      ),
    '+': 'reject',
  }),
  output: type({
    hook: type('string').describe('the file of the hook'),
    removed: type('boolean').describe('whether an svc hook was installed'),
    restored: type('boolean').describe('whether the previous hook was restored'),
    left: type('boolean').describe("whether another tool's hook is installed"),
    former: type('boolean').describe('whether a previous hook still exists next to it'),
  }),

  check: async ({ agent }, { cwd }) => {
    if (agent) checkAgentHook(findRepositoryRoot(cwd), agent)
    else await locateHooks(cwd)
  },

  async run({ agent }, { cwd }) {
    if (agent)
      return { ...uninstallAgentHook(findRepositoryRoot(cwd), agent), restored: false, left: false, former: false }
    const folder = await locateHooks(cwd)
    const { removed, restored } = uninstallHook(folder)
    const { hook, state, former } = readHookStatus(folder, locateThisProgram())
    return { hook, removed, restored, left: state === 'foreign', former }
  },

  text({ hook, removed, restored, left, former }) {
    if (removed) return `Removed: ${hook}.${restored ? ' The hook that was there before is back.' : ''}`
    if (restored) return `The hook that was there before is back: ${hook}.`
    const aside = former ? ` The hook that svc saved is next to it as ${FORMER}.` : ''
    return left ? `${hook} is not a hook of svc and stays unchanged.${aside}` : 'No hook of svc is installed.'
  },
})
