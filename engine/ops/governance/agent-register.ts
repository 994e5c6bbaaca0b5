import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { registerAgent } from '../../governance/agents.ts'
import { writeCredential } from '../../governance/credential-file.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { AgentType } from '../../governance/record-schema.ts'
import { readAgentStatus } from '../../governance/status.ts'
import { formatAgent } from '../../governance/text.ts'
import { doubtScope } from '../../governance/trust.ts'

/** Registers an agent. Its credential is printed once, or written to a file, and only its SHA-256 is kept. */
export default defineOperation({
  id: 'governance.agent-register',
  summary: 'Register an agent and print its credential once.',
  effect: 'write',
  action: 'grant_scope',
  cli: 'agent-register <name>',
  rest: null,
  mcp: null,
  input: type({
    name: type('string > 0').describe('a name of letters, digits, dots, dashes and underscores'),
    'scopes?': type('string > 0').describe('comma-separated scopes, such as scan,findings:read; * means all'),
    'expires?': type('1 <= number.integer <= 3650').describe('days until the credential expires, 1 to 3650'),
    'out?': type('string > 0').describe(
      'an output file for the credential, readable by its owner only, instead of standard output',
    ),
    '+': 'reject',
  }),
  output: type({
    agent: AgentType,
    'credential?': type('string').describe('the credential, shown only once'),
    'out?': type('string').describe('the file that contains the credential'),
  }),
  examples: [
    [
      'svc agent-register reviewer --scopes scan,findings:read --expires 30',
      'issue a credential that expires in 30 days',
    ],
    ['svc agent-register builder --out .svc/local/builder.key', 'write the credential to a file'],
  ],

  async run({ name, scopes, expires, out }, context) {
    const governance = await openGovernance(context)
    const list = scopes
      ?.split(',')
      .map(scope => scope.trim())
      .filter(Boolean)
    for (const scope of list ?? []) {
      const doubt = doubtScope(scope)
      if (doubt !== undefined) context.notice(doubt)
    }
    const { agent, credential } = governance.state.write(governance.acting, tx => {
      const registered = registerAgent(tx, { name, scopes: list, expires })
      // Before the transaction ends: an agent whose credential nobody has could only be revoked.
      if (out !== undefined) writeCredential(context.cwd, out, registered.credential)
      return registered
    })
    const status = governance.state.read((reader, at) => readAgentStatus(reader, at, agent, governance.policy))
    return out === undefined ? { agent: status, credential } : { agent: status, out }
  },

  text({ agent, credential, out }, view) {
    const where = credential
      ? [`  ${view.paint('bold', credential)}`, 'It is not shown again. Set it for the agent as SVC_AGENT_KEY.']
      : [`Its credential is in ${out}. Set that path for the agent as SVC_AGENT_KEY_FILE.`]
    return [formatAgent(agent, view), ...where].join('\n')
  },
})
