import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type } from 'arktype'
import { CLIENT_NAMES } from '../../assistants/clients.ts'
import { initializeAssistants } from '../../assistants/initialize.ts'
import { EngineError } from '../../base/errors.ts'
import { escapeInvisible } from '../../base/text/visible.ts'
import { defineOperation } from '../../door/operation.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'

const CLIENT = type.enumerated(...CLIENT_NAMES)

/** Sets coding assistants up: skill file, MCP server, instructions and a hook that scans each edited file. */
export default defineOperation({
  id: 'assistants.init',
  summary: 'Set up coding assistants: skill file, MCP server, instructions and post-edit scan.',
  effect: 'write',
  action: ({ dry_run }) => (dry_run ? 'read_findings' : 'edit_config'),
  cli: 'assistant-init',
  rest: null,
  mcp: null,
  input: type({
    hooks: type('boolean').describe('true or false: install a hook that scans each edited file').default(true),
    'path?': type('string > 0').describe('the directory to set up (default: the root of the repository)'),
    'for?': CLIENT.array().configure(
      { description: `assistants to set up: ${CLIENT_NAMES.join(', ')} (default: those found, else claude-code)` },
      'self',
    ),
    dry_run: type('boolean').describe('true or false: show the changes as a diff and write nothing').default(false),
    remove: type('boolean').describe('true or false: remove what the command wrote').default(false),
    '+': 'reject',
  }),
  output: type({
    clients: CLIENT.array(),
    files: type({
      path: 'string',
      action: type
        .enumerated('created', 'changed', 'unchanged', 'deleted')
        .configure({ description: 'created, changed, unchanged or deleted' }, 'self'),
    }).array(),
    diff: type('string').describe('the changes as a unified diff'),
    left: type({ path: 'string', reason: 'string' })
      .array()
      .describe(
        'files that were left as they are, since their text is not that of svc, or a symbolic link leads elsewhere',
      ),
    dry_run: 'boolean',
  }),
  examples: [
    ['svc assistant-init --dry-run', 'show what would change'],
    ['svc assistant-init', 'set up the assistants found in the repository'],
    ['svc assistant-init --for codex --for cursor --no-hooks', 'set up two assistants without hooks'],
    ['svc assistant-init --remove', 'remove everything again'],
  ],

  // A dry run meets whatever would stand in the way.
  check: async ({ path, for: clients, hooks, remove }, { cwd }) => {
    await initializeAssistants(locate(path, cwd), { ...(clients && { clients }), hooks, dry_run: true, remove })
  },

  async run({ path, for: clients, hooks, dry_run, remove }, { cwd }) {
    const root = locate(path, cwd)
    const result = await initializeAssistants(root, { ...(clients && { clients }), hooks, dry_run, remove })
    return { ...result, dry_run }
  },

  text({ clients, files, diff, left, dry_run }, { paint, quiet }) {
    const kept = left.map(({ path, reason }) => escapeInvisible(`Left as it is: ${path} ${reason}.`))
    if (dry_run) return [diff === '' ? 'Nothing would change.' : escapeInvisible(diff).trimEnd(), ...kept].join('\n')
    if (quiet) return ''
    const moved = files.filter(({ action }) => action !== 'unchanged')
    if (moved.length === 0) return [`Nothing to change for ${clients.join(', ')}.`, ...kept].join('\n')
    const lines = moved.map(
      ({ path, action }) => `  ${paint(action === 'deleted' ? 'yellow' : 'green', action.padEnd(8))} ${path}`,
    )
    const next = moved.some(({ action }) => action === 'deleted')
      ? []
      : ['Commit these files. Restart the assistant, and let it use the server `svc`.']
    return [`Assistants: ${clients.join(', ')}.`, ...lines, ...kept, ...next].join('\n')
  },
})

function locate(path: string | undefined, cwd: string): string {
  const root = path === undefined ? findRepositoryRoot(cwd) : resolve(cwd, path)
  if (existsSync(root) && statSync(root).isDirectory()) return root
  throw new EngineError('REPO_NOT_FOUND', `There is no directory ${path}.`)
}
