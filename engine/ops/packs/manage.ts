import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { checkSwitch, switchOff, switchOn } from '../../sources/packs/switch.ts'

/** What add-pack and remove-pack do, as one tool for agents. */
export default defineOperation({
  id: 'packs.manage',
  summary: 'Enable or disable a standards pack, after validating that it exists and is licensed.',
  effect: 'write',
  action: 'manage_packs',
  weakens: ({ action }) => action === 'disable',
  cli: null,
  rest: null,
  mcp: 'manage_pack',
  input: type({
    action: type("'enable' | 'disable'").configure({ description: 'enable or disable' }, 'self'),
    pack_id: type('string > 0').describe('a pack id'),
    '+': 'reject',
  }),
  output: type({ id: 'string', enabled: 'boolean', changed: 'boolean', path: 'string' }),

  check: ({ action, pack_id }, context) => checkSwitch(pack_id, action === 'enable', context),

  async run({ action, pack_id }, context) {
    if (action === 'disable') return switchOff(pack_id, context)
    const { pack: _pack, ...switched } = await switchOn(pack_id, context)
    return switched
  },

  text: ({ id, enabled, changed, path }) =>
    changed ? `${id} is ${enabled ? 'enabled' : 'disabled'} in ${path}.` : `${id} was so already; nothing was changed.`,
})
