import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { GrantType } from '../../governance/record-schema.ts'
import { grantLine } from '../../governance/text.ts'
import { Limit } from '../../sources/store/run-schema.ts'

export default defineOperation({
  id: 'governance.grants',
  summary: 'List grants of elevated scopes, newest first.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: 'grants',
  rest: 'GET /api/tool-grants',
  mcp: null,
  input: type({
    active: type('boolean').describe('true to list active grants only').default(false),
    'agent?': type('string > 0').describe('the name of an agent'),
    'scope?': type('string > 0').describe('a scope'),
    limit: Limit(1000, 100),
    '+': 'reject',
  }),
  output: type({ grants: GrantType.array(), total: 'number.integer' }),
  examples: [
    ['svc grants --active', 'list the active grants'],
    ['svc grants --agent builder', 'list the grants of an agent'],
  ],

  async run({ active, agent, scope, limit }, context) {
    const { state } = await openGovernance(context)
    const where = `agent = coalesce(?, agent) AND scope = coalesce(?, scope)${active ? " AND status = 'active'" : ''}`
    const wanted = [agent ?? null, scope ?? null] as const
    return state.read(reader => ({
      grants: reader.find('grants', `${where} ORDER BY requested_at DESC, rowid DESC LIMIT ?`, ...wanted, limit),
      total: reader.count('grants', where, ...wanted),
    }))
  },

  text: ({ grants }, view) =>
    grants.length > 0 ? grants.map(grant => grantLine(grant, view)).join('\n') : 'No grants.',
})
