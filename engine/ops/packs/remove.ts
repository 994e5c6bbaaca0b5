import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { checkSwitch, switchOff } from '../../sources/packs/switch.ts'

/** Switches a pack off; its files, where it is the repository's own, stay. */
export default defineOperation({
  id: 'packs.remove',
  summary: 'Disable a standards pack in the configuration.',
  effect: 'write',
  action: 'manage_packs',
  weakens: true,
  cli: 'remove-pack <id>',
  rest: null,
  mcp: null,
  input: type({ id: type('string > 0').describe('a pack id from list-packs'), '+': 'reject' }),
  output: type({
    id: 'string',
    enabled: 'boolean',
    changed: type('boolean').describe('whether the file was changed'),
    path: type('string').describe('the configuration file'),
  }),
  examples: [['svc remove-pack python', 'turn off a detected pack']],

  check: ({ id }, context) => checkSwitch(id, false, context),

  run: ({ id }, context) => switchOff(id, context),

  text: ({ id, changed, path }, { paint }) =>
    changed ? `${paint('yellow', 'disabled')}  ${id} in ${path}.` : `${id} was off already.`,
})
