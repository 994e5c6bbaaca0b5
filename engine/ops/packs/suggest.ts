import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { loadPacks } from '../../sources/packs/load.ts'
import { listLanguages, listScannedFiles } from '../../sources/packs/scanned.ts'
import { listPackStates } from '../../sources/packs/state.ts'
import { suggestPacks } from '../../sources/packs/suggest.ts'

/** Packs that fit what is in the repository, with what speaks for each. Nothing is changed. */
export default defineOperation({
  id: 'packs.suggest',
  summary: 'Suggest standards packs for the repository, with evidence.',
  effect: 'read',
  cli: 'suggest-packs',
  rest: null,
  mcp: 'suggest_packs',
  input: type({ '+': 'reject' }),
  output: type({
    suggestions: type({
      id: 'string',
      name: 'string',
      enabled: type('boolean').describe('whether the pack is already enabled'),
      why: 'string[]',
      evidence: type({ file: 'string', 'line?': 'number.integer', what: 'string' }).array(),
    }).array(),
    'command?': type('string').describe('the commands that enable the suggested packs'),
  }),
  examples: [['svc suggest-packs', 'list fitting packs with the evidence']],

  async run(_input, { cwd, env, signal }) {
    const config = await loadConfig(cwd, { env })
    const files = await listScannedFiles(config, signal)
    const packs = await loadPacks(config.root)
    const states = listPackStates(packs, config, listLanguages(files))
    const suggestions = suggestPacks(packs, config.root, files)
      .filter(({ pack }) => states.get(pack.id) !== 'disabled')
      .map(({ pack, why, evidence }) => ({
        id: pack.id,
        name: pack.name,
        enabled: states.get(pack.id) !== 'off',
        why,
        evidence,
      }))
    const open = suggestions.filter(({ enabled }) => !enabled)
    return {
      suggestions,
      ...(open.length > 0 && { command: open.map(({ id }) => `svc add-pack ${id}`).join(' && ') }),
    }
  },

  text({ suggestions, command }, { paint }) {
    const open = suggestions.filter(({ enabled }) => !enabled)
    const on = suggestions.filter(({ enabled }) => enabled).map(({ id }) => id)
    const lines = open.flatMap(({ id, name, why, evidence }) => [
      `${paint('bold', id)}  ${name}: ${why.join('; ')}`,
      ...evidence.map(({ file, line, what }) =>
        paint('dim', `    ${file}${line === undefined ? '' : `:${line}`}  ${what}`),
      ),
    ])
    if (on.length > 0) lines.push(`On already: ${on.join(', ')}.`)
    if (command !== undefined) lines.push(`\n${command}`)
    return lines.length > 0 ? lines.join('\n') : 'Nothing here speaks for any pack.'
  },
})
