import { type } from 'arktype'
import { groupForms } from '../../base/records/forms.ts'
import type { Style } from '../../base/text/view.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { isOwnPack } from '../../sources/packs/install.ts'
import { loadPacks } from '../../sources/packs/load.ts'
import { listLanguages, listScannedFiles } from '../../sources/packs/scanned.ts'
import { listPackStates, type PackState } from '../../sources/packs/state.ts'

const STATE_STYLE: Record<PackState, Style> = { detected: 'green', enabled: 'green', disabled: 'yellow', off: 'dim' }

/** Every pack that there is: what it covers, whether it is on here, and what decided that. */
export default defineOperation({
  id: 'packs.list',
  summary: 'List the standards packs with their coverage and status.',
  effect: 'read',
  cli: 'list-packs',
  rest: 'GET /api/packs',
  mcp: null,
  input: type({
    enabled: type('boolean').describe('true to list enabled packs only').default(false),
    'kind?': type("'technical' | 'framework'").configure({ description: 'technical or framework' }, 'self'),
    '+': 'reject',
  }),
  output: type({
    packs: type({
      id: 'string',
      version: 'string',
      name: 'string',
      description: 'string',
      kind: type("'technical' | 'framework'").configure({ description: 'technical or framework' }, 'self'),
      tier: 'string',
      state: type("'detected' | 'enabled' | 'disabled' | 'off'").configure(
        { description: 'detected (enabled automatically), enabled, disabled, or off' },
        'self',
      ),
      enabled: type('boolean').describe('whether a scan uses it'),
      own: type('boolean').describe('whether the pack is from the repository (.svc)'),
      languages: 'string[]',
      'framework?': type({ id: 'string', name: 'string', edition: 'string', date: 'string' }),
      rules: 'number.integer',
      controls: 'number.integer',
      obligations: 'number.integer',
    }).array(),
    total: 'number.integer',
  }),
  examples: [
    ['svc list-packs', 'list all packs and which are on'],
    ['svc list-packs --kind framework --json', 'list framework packs as JSON'],
  ],

  async run({ enabled, kind }, { cwd, env, signal }) {
    const config = await loadConfig(cwd, { env })
    const all = await loadPacks(config.root)
    const states = listPackStates(all, config, listLanguages(await listScannedFiles(config, signal)))
    const packs = all
      .map(({ framework, rules, controls, obligations, id, version, name, description, tier, languages }) => {
        const state = states.get(id)!
        return {
          id,
          version,
          name,
          description,
          kind: framework ? ('framework' as const) : ('technical' as const),
          tier,
          state,
          enabled: state === 'detected' || state === 'enabled',
          own: id === 'local' || isOwnPack(config.root, id),
          languages,
          ...(framework && {
            framework: {
              id: framework.id,
              name: framework.name,
              edition: framework.edition,
              date: framework.date,
            },
          }),
          rules: groupForms(rules).size,
          controls: controls.length,
          obligations: obligations.length,
        }
      })
      .filter(pack => (!enabled || pack.enabled) && (kind === undefined || pack.kind === kind))
    return { packs, total: packs.length }
  },

  text({ packs, total }, { paint, verbose }) {
    if (total === 0) return 'No pack fits.'
    const width = Math.max(...packs.map(({ id }) => id.length))
    const lines = packs.map(pack => {
      const size = pack.kind === 'framework' ? formatCount(pack.controls, 'control') : formatCount(pack.rules, 'rule')
      const own = pack.own ? ' (own)' : ''
      return `${paint(STATE_STYLE[pack.state], pack.state.padEnd(8))}  ${pack.id.padEnd(width)}  ${size.padEnd(12)}  ${pack.name} ${pack.version}${own}${verbose ? `\n${' '.repeat(10)}${pack.description}` : ''}`
    })
    const on = packs.filter(pack => pack.enabled).length
    return [...lines, `${formatCount(total, 'pack')}, ${on} on. \`svc add-pack <id>\` switches one on.`].join('\n')
  },
})
