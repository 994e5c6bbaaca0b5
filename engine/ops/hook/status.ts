import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { locateHooks } from '../../hook/hooks-folder.ts'
import { readHookStatus } from '../../hook/install.ts'
import { locateThisProgram } from '../../hook/program.ts'
import { FORMER } from '../../hook/script.ts'

/** Whether commits are scanned here. */
export default defineOperation({
  id: 'hook.status',
  summary: 'Show whether the pre-commit hook is installed; exit 1 if it is not.',
  effect: 'read',
  cli: 'hook status',
  rest: null,
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    state: type
      .enumerated('absent', 'installed', 'outdated', 'foreign')
      .configure({ description: 'the state of the pre-commit hook' }, 'self'),
    hook: type('string').describe('the file of the hook'),
    former: type('boolean').describe('whether a previous hook is kept and runs first'),
    program_found: type('boolean').describe('whether svc is found at commit time'),
    'tool?': type({ name: 'string', because: 'string', how: 'string' }).describe(
      'another tool that manages the hooks of the repository',
    ),
  }),

  async run(_input, { cwd, env }) {
    return readHookStatus(await locateHooks(cwd), locateThisProgram(), env.PATH)
  },

  text({ state, hook, former, program_found, tool }, { paint }) {
    const says = {
      installed: `${paint('green', 'Installed')}: ${hook} scans what is staged before each commit.`,
      outdated: `${paint('yellow', 'Outdated')}: ${hook} is from another version or another location; \`svc hook install\` updates it.`,
      foreign: `${paint('yellow', 'Not installed')}: ${hook} is ${tool ? `that of ${tool.name}.` : 'another hook; `svc hook install` saves it and runs it first.'}`,
      absent: `${paint('yellow', 'Not installed')}: there is no ${hook}; \`svc hook install\` writes it.`,
    }
    const lines = [says[state]]
    const installed = state === 'installed' || state === 'outdated'
    if (installed && former) lines.push(`The previous hook is saved as ${FORMER} and runs first.`)
    if (installed && !program_found)
      lines.push(paint('red', 'It cannot find svc and blocks every commit: run `svc hook install`.'))
    if (tool && !installed) lines.push(`${tool.because} ${tool.how}`)
    return lines.join('\n')
  },

  exit: ({ state }) => (state === 'installed' || state === 'outdated' ? 0 : 1),
})
