import { type } from 'arktype'
import { groupForms } from '../../base/records/forms.ts'
import { defineOperation } from '../../door/operation.ts'
import { checkSwitch, switchOn } from '../../sources/packs/switch.ts'

/** Switches a pack on for good, whatever languages the repository has. */
export default defineOperation({
  id: 'packs.add',
  summary: 'Enable a standards pack in the configuration.',
  effect: 'write',
  action: 'manage_packs',
  cli: 'add-pack <id>',
  rest: null,
  mcp: null,
  input: type({ id: type('string > 0').describe('a pack id from list-packs'), '+': 'reject' }),
  output: type({
    id: 'string',
    enabled: 'boolean',
    changed: type('boolean').describe('whether the file was changed'),
    path: type('string').describe('the configuration file'),
    rules: type('number.integer').describe('the number of rules in the pack'),
    controls: type('number.integer').describe('the number of controls in the pack'),
  }),
  examples: [['svc add-pack owasp-top-10-2025', 'add the OWASP Top 10:2025 pack']],

  check: ({ id }, context) => checkSwitch(id, true, context),

  async run({ id }, context) {
    const { pack, ...switched } = await switchOn(id, context)
    return { ...switched, rules: groupForms(pack.rules).size, controls: pack.controls.length }
  },

  text: ({ id, changed, path }, { paint }) =>
    changed
      ? `${paint('green', 'enabled')}  ${id} in ${path}. \`svc scan\` uses it.`
      : `${id} was enabled in ${path} already.`,
})
