import { realpathSync } from 'node:fs'
import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { defineOperation } from '../../door/operation.ts'
import { checkTrust, computeCommandDigest, recordTrust, TRUST_VARIABLE, withdrawTrust } from '../../external/trust.ts'
import { identify } from '../../governance/identity.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { CONFIG_PATH } from '../../sources/config/paths.ts'

/** Signs of an agent by which no answer is taken for a user's. */
const AGENT = ['credential', 'environment', 'process'] as const

/** Shows the commands of external scanners, and records which of them the user trusts. */
export default defineOperation({
  id: 'external.trust',
  summary: 'Review the commands of external scanners, and trust one on this machine.',
  effect: 'write',
  action: ({ digest, withdraw }) => (digest === undefined && !withdraw ? 'read_findings' : 'edit_config'),
  unbound: true,
  cli: 'external-trust [name]',
  rest: null,
  mcp: null,
  input: type({
    'name?': type('string > 0').describe('the name of a scanner in external_scanners'),
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
    trusted: type('string[]').describe('the scanners whose command is now trusted'),
    withdrawn: type('string[]').describe('the scanners whose command is no longer trusted'),
  }),
  examples: [
    ['svc external-trust', 'list all commands with digest and trust'],
    ['svc external-trust semgrep', 'review the command of one scanner interactively'],
    ['svc external-trust semgrep --withdraw', 'withdraw trust'],
  ],

  async run({ name, digest, withdraw }, context) {
    const config = await loadConfig(context.cwd, { env: context.env })
    const root = realpathSync(config.root)
    const { external_scanners } = config
    const configured = Object.entries(external_scanners).flatMap(([key, { command }]) =>
      command && (name === undefined || key === name) ? [{ name: key, command }] : [],
    )
    if (name !== undefined && configured.length === 0)
      throw new EngineError(
        'NOT_FOUND',
        `external_scanners in ${CONFIG_PATH} has no command named ${JSON.stringify(name)}.`,
      )
    const list = () =>
      configured.map(({ name: key, command }) => ({
        ...{ name: key, command, directory: root, digest: computeCommandDigest(root, command) },
        trusted: checkTrust(root, key, command, context.env).trusted,
      }))
    const commands = list()
    const [one] = commands
    if (name === undefined || one === undefined) {
      if (digest !== undefined || withdraw) throw new EngineError('INPUT_INVALID', 'Pass the name of the scanner.')
      return { commands, trusted: [], withdrawn: [] }
    }
    if (withdraw) {
      const gone = withdrawTrust(context.env, root, name)
      return { commands: list(), trusted: [], withdrawn: gone ? [name] : [] }
    }
    if (digest === undefined && (one.trusted || !context.choose)) return { commands, trusted: [], withdrawn: [] }
    await refuseAgents(root, context)
    if (digest !== undefined && digest !== one.digest)
      throw new EngineError(
        'CONFLICT',
        `The command of ${name} has the digest ${one.digest}, which differs from the one passed.`,
        {
          hint: `Review it with \`svc external-trust ${name}\`: it has changed since.`,
        },
      )
    if (digest === undefined && !(await agreed(one, context))) return { commands, trusted: [], withdrawn: [] }
    recordTrust(context.env, { root, name, digest: one.digest, trusted_at: new Date().toISOString() })
    return { commands: list(), trusted: [name], withdrawn: [] }
  },

  text({ commands, trusted, withdrawn }, { paint }) {
    if (commands.length === 0) return `No external scanner in ${CONFIG_PATH} has a command.`
    const blocks = commands.map(({ name, command, digest, trusted: isOn }) =>
      [
        `${paint('bold', name)} (${isOn ? 'trusted' : 'not trusted'})`,
        `  ${paint('cyan', commandText(command))}`,
        `  digest ${digest}`,
      ].join('\n'),
    )
    const ends = [
      trusted.length > 0 &&
        `Trusted: ${trusted.join(', ')}. \`svc scan\` runs it until the command or a file that it names changes.`,
      withdrawn.length > 0 && `Not trusted any more: ${withdrawn.join(', ')}.`,
      trusted.length + withdrawn.length === 0 &&
        commands.some(({ trusted: isOn }) => !isOn) &&
        `To trust one: \`svc external-trust NAME\` at a terminal, or with --digest. In CI: set ${TRUST_VARIABLE} to its digest, outside of the repository.`,
    ]
    return [...blocks, ...ends].filter(Boolean).join('\n\n')
  },
})

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
  const question = `${name} runs this program with your rights, in ${escapeInvisibleLine(directory)}:\n  ${commandText(command)}\nTrust it?`
  const choices = [
    { value: 'no', name: 'No, do not trust it' },
    { value: 'yes', name: 'Yes, run this command in scans of this repository' },
  ]
  return (await choose?.(question, choices, 'no')) === 'yes'
}

/** The words of a command, quoted where a shell would part them, with nothing that moves a terminal. */
function commandText(command: readonly string[]): string {
  return command.map(word => escapeInvisibleLine(/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
}
