import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { type } from 'arktype'
import { discover } from '../../assistants/audit/discover.ts'
import { listWords, nameTrust } from '../../assistants/audit/permission.ts'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { defineOperation } from '../../door/operation.ts'
import {
  checkTrust,
  computeCommandDigest,
  quoteWord,
  recordTrust,
  TRUST_VARIABLE,
  withdrawTrust,
} from '../../external/trust.ts'
import { identify } from '../../governance/identity.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { CONFIG_PATH } from '../../sources/config/paths.ts'

/** Signs of an agent by which no answer is taken for a user's. */
const AGENT = ['credential', 'environment', 'process'] as const

/** Shows the commands that a repository names, of external scanners and MCP servers, and records which of them the user trusts. */
export default defineOperation({
  id: 'external.trust',
  summary: 'Review the commands of external scanners and MCP servers, and trust one on this machine.',
  effect: 'write',
  action: ({ digest, withdraw }) => (digest === undefined && !withdraw ? 'read_findings' : 'edit_config'),
  unbound: true,
  cli: 'external-trust [name]',
  rest: null,
  mcp: null,
  input: type({
    'name?': type('string > 0').describe(
      'the name of a scanner in external_scanners, or mcp: and the name of an MCP server',
    ),
    'digest?': type('/^[0-9a-f]{64}$/').configure(
      { description: 'the digest of the command to trust, for use without a terminal' },
      'self',
    ),
    withdraw: type('boolean').describe('true or false: revoke the trust').default(false),
    '+': 'reject',
  }),
  output: type({
    commands: type({
      name: 'string',
      command: 'string[]',
      directory: type('string').describe('the working directory'),
      digest: 'string',
      trusted: 'boolean',
    }).array(),
    trusted: type('string[]').describe('the names whose command is now trusted'),
    withdrawn: type('string[]').describe('the names whose command is no longer trusted'),
  }),
  examples: [
    ['svc external-trust', 'list all commands with digest and trust'],
    ['svc external-trust semgrep', 'review the command of one scanner interactively'],
    ['svc external-trust mcp:files', 'review the command of the MCP server files, for `svc audit-mcp --connect`'],
    ['svc external-trust semgrep --withdraw', 'withdraw trust'],
  ],

  check: async (input, context) => {
    const { one } = await findCommands(input, context)
    if (one !== undefined && !input.withdraw && input.digest !== undefined) {
      await refuseAgents(one.directory, context)
      requireDigest(one, input.digest)
    }
  },

  async run(input, context) {
    const { name, digest, withdraw } = input
    const { root, list, commands, one } = await findCommands(input, context)
    if (name === undefined || one === undefined) return { commands, trusted: [], withdrawn: [] }
    if (withdraw) {
      const gone = withdrawTrust(context.env, root, name)
      return { commands: list(), trusted: [], withdrawn: gone ? [name] : [] }
    }
    if (digest === undefined && (one.trusted || !context.choose)) return { commands, trusted: [], withdrawn: [] }
    await refuseAgents(root, context)
    if (digest !== undefined) requireDigest(one, digest)
    if (digest === undefined && !(await agreed(one, context))) return { commands, trusted: [], withdrawn: [] }
    recordTrust(context.env, { root, name, digest: one.digest, trusted_at: new Date().toISOString() })
    return { commands: list(), trusted: [name], withdrawn: [] }
  },

  text({ commands, trusted, withdrawn }, { paint }) {
    if (commands.length === 0)
      return `No external scanner in ${CONFIG_PATH} and no MCP server of the repository has a command.`
    const blocks = commands.map(({ name, command, digest, trusted: isOn }) =>
      [
        `${paint('bold', escapeInvisibleLine(name))} (${isOn ? 'trusted' : 'not trusted'})`,
        `  ${paint('cyan', commandText(command))}`,
        `  digest ${digest}`,
      ].join('\n'),
    )
    const ends = [
      trusted.length > 0 &&
        `Trusted: ${escapeInvisibleLine(trusted.join(', '))}. ${trusted[0]?.startsWith(nameTrust('')) ? '`svc audit-mcp --connect` starts' : '`svc scan` runs'} it until the command or a file that it names changes.`,
      withdrawn.length > 0 && `Not trusted any more: ${escapeInvisibleLine(withdrawn.join(', '))}.`,
      trusted.length + withdrawn.length === 0 &&
        commands.some(({ trusted: isOn }) => !isOn) &&
        `To trust one: \`svc external-trust NAME\` at a terminal, or with --digest. In CI: set ${TRUST_VARIABLE} to its digest, outside of the repository.`,
    ]
    return [...blocks, ...ends].filter(Boolean).join('\n\n')
  },
})

interface Given {
  name?: string
  digest?: string
  withdraw: boolean
}

/** The commands that are configured, those of one name where it is given; NOT_FOUND or INPUT_INVALID where they cannot be what is meant. */
async function findCommands({ name, digest, withdraw }: Given, context: Context) {
  const config = await loadConfig(context.cwd, { env: context.env })
  const root = realpathSync(config.root)
  const scanners = Object.entries(config.external_scanners).flatMap(([key, { command }]) =>
    command ? [{ name: key, command }] : [],
  )
  const all = [...scanners, ...(await listServers(root, name, context.env))]
  const configured = all.filter(one => name === undefined || one.name === name)
  if (name !== undefined && configured.length === 0)
    throw new EngineError(
      'NOT_FOUND',
      `Neither external_scanners in ${CONFIG_PATH} nor an MCP configuration has a command named ${JSON.stringify(name)}.`,
    )
  const list = () =>
    configured.map(({ name: key, command }) => ({
      ...{ name: key, command, directory: root, digest: computeCommandDigest(root, command) },
      trusted: checkTrust(root, key, command, context.env).trusted,
    }))
  const commands = list()
  // Of two servers of one name, a digest says which; else it is the first, as `audit-mcp` takes it.
  const one = commands.find(command => command.digest === digest) ?? commands[0]
  if ((name === undefined || one === undefined) && (digest !== undefined || withdraw))
    throw new EngineError('INPUT_INVALID', 'Pass the name of the scanner or server.')
  return { root, list, commands, one }
}

/** CONFLICT where the command is not the one that was reviewed. */
function requireDigest({ name, digest }: { name: string; digest: string }, given: string): void {
  if (given !== digest)
    throw new EngineError(
      'CONFLICT',
      `The command of ${name} has the digest ${digest}, which differs from the one passed.`,
      {
        hint: `Review it with \`svc external-trust ${quoteWord(name)}\`: it has changed since.`,
      },
    )
}

/** The MCP servers of the repository; those of the user only where one is named, since they are no repository's. */
async function listServers(
  root: string,
  name: string | undefined,
  env: Context['env'],
): Promise<{ name: string; command: string[] }[]> {
  const isNamed = name?.startsWith(nameTrust('')) ?? false
  if (name !== undefined && !isNamed) return []
  const { servers } = await discover(root, isNamed ? env.HOME || homedir() : undefined)
  const found = new Map<string, { name: string; command: string[] }>()
  for (const server of servers) {
    const command = listWords(server)
    const one = { name: nameTrust(server.name), command }
    if (command.length > 0) found.set(JSON.stringify(one), found.get(JSON.stringify(one)) ?? one)
  }
  return [...found.values()]
}

/** Trust is a user's to give: FORBIDDEN for a known agent, and on any surface but the command line. */
async function refuseAgents(root: string, context: Context): Promise<void> {
  const identity = await identify(root, context, undefined, new Date().toISOString())
  if (context.surface === 'cli' && !AGENT.some(method => method === identity.method)) return
  throw new EngineError(
    'FORBIDDEN',
    `Only a user at the command line can trust a command; the caller is ${identity.agent}.`,
    {
      hint: 'Ask a user to run `svc external-trust`.',
    },
  )
}

async function agreed(
  { name, command, directory }: { name: string; command: readonly string[]; directory: string },
  { choose }: Context,
): Promise<boolean> {
  const question = `${escapeInvisibleLine(name)} runs this program with your rights, in ${escapeInvisibleLine(directory)}:\n  ${commandText(command)}\nTrust it?`
  const choices = [
    { value: 'no', name: 'No, do not trust it' },
    { value: 'yes', name: 'Yes, run this command for this repository' },
  ]
  return (await choose?.(question, choices, 'no')) === 'yes'
}

/** The words of a command, quoted where a shell would part them, with nothing that moves a terminal. */
function commandText(command: readonly string[]): string {
  return command.map(word => escapeInvisibleLine(/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
}
