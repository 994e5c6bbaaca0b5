import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { loadSettingsInForce } from '../../governance/blast.ts'
import { listZones } from '../../governance/zones.ts'
import { ENFORCEMENTS } from '../../sources/config/values.ts'

export default defineOperation({
  id: 'governance.zones',
  summary: 'List the effective blast-radius zones.',
  effect: 'read',
  action: null,
  unbound: true,
  cli: null,
  rest: 'GET /api/blast-radius/zones',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    enabled: 'boolean',
    built_in: type('boolean').describe('whether the zones are the built-in ones'),
    zones: type({ name: 'string', patterns: 'string[]', enforcement: type.enumerated(...ENFORCEMENTS) }).array(),
  }),

  async run(_input, context) {
    const { policy } = await loadSettingsInForce(context)
    const zones = listZones(policy).map(({ name, patterns, enforcement }) => ({
      name,
      patterns: [...patterns],
      enforcement,
    }))
    return { enabled: policy.blast_radius.enabled, built_in: policy.blast_radius.zones === undefined, zones }
  },

  text: ({ zones }) =>
    zones.map(({ name, enforcement, patterns }) => `${name} (${enforcement}): ${patterns.join(' ')}`).join('\n'),
})
