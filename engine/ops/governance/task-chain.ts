import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { isOpen, listChain } from '../../governance/chain.ts'
import { buildDelegationTree } from '../../governance/delegation.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { DelegationType, SessionId, SessionType } from '../../governance/record-schema.ts'
import { getSession } from '../../governance/sessions.ts'
import { hideInternals } from '../../governance/text.ts'
import { formatTree } from '../../governance/tree-text.ts'
import { findLowest } from '../../governance/trust.ts'

export default defineOperation({
  id: 'governance.task-chain',
  summary: 'Show the delegation chain of a session, and its effective trust level.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: 'task-chain <id>',
  rest: 'POST /api/task-sessions/chain',
  mcp: 'check_delegation',
  input: type({ id: SessionId, '+': 'reject' }),
  output: type({
    id: 'string',
    trust_level: type('string').describe('the lowest trust level along the chain'),
    valid: type('boolean').describe('whether every session from here to the root is open'),
    chain: SessionType.array().describe('the session and its ancestors, nearest first'),
    tree: type({
      session: SessionType,
      delegation: DelegationType.or('null'),
      depth: 'number.integer',
    })
      .array()
      .describe('the whole delegation tree from its root, depth first'),
  }),
  examples: [['svc task-chain TS-0123456789ab', 'show who delegated the task, and the trust level that is left']],

  async run({ id }, context) {
    const { state } = await openGovernance(context)
    return state.read(reader => {
      const chain = listChain(reader, getSession(reader, id))
      return {
        id,
        trust_level: findLowest(...chain.map(({ trust_level }) => trust_level)),
        valid: chain.every(isOpen),
        chain: chain.map(hideInternals),
        tree: buildDelegationTree(reader, id).map(({ session, ...placed }) => ({
          session: hideInternals(session),
          ...placed,
        })),
      }
    })
  },

  text: ({ id, tree }, view) => formatTree(tree, id, view),
})
