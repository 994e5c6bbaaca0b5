import { resolve } from 'node:path'
import { type } from 'arktype'
import { isInside } from '../../base/disk/project-write.ts'
import { EngineError, type Fault } from '../../base/errors.ts'
import { findNeighborFaults, listFaults } from '../../doctor/settings-faults.ts'
import { defineOperation } from '../../door/operation.ts'
import { findRepositoryRoot, listDirectoryConfigs, loadConfig } from '../../sources/config/load.ts'

/** Every fault of what a scan is configured by: the root's and folders' files, own rules, suppressions and baseline. */
export default defineOperation({
  id: 'config.validate',
  summary: 'Validate the configuration, including that of subdirectories, and list each error with its line.',
  effect: 'read',
  cli: 'validate-config',
  rest: 'GET /api/config/validate',
  mcp: null,
  input: type({
    'config?': type('string > 0').describe('a configuration file to validate instead of .svc/config.yaml'),
    '+': 'reject',
  }),
  output: type({
    valid: 'boolean',
    sources: 'string[]',
    faults: type({ message: 'string', 'file?': 'string', 'line?': 'number', 'column?': 'number' }).array(),
    notices: 'string[]',
  }),
  examples: [
    ['svc validate-config', 'validate .svc/config.yaml and the files of subdirectories'],
    ['svc validate-config --config ci.yaml', 'validate another file'],
  ],

  async run({ config: given }, { cwd, env, surface, signal }) {
    const root = findRepositoryRoot(cwd)
    const path = given === undefined ? undefined : resolve(cwd, given)
    if (path !== undefined && surface !== 'cli' && !isInside(root, path))
      throw new EngineError('PATH_ESCAPES', `The path ${given} is outside the project.`)
    const { discover } = await import('../../sources/repository/discover.ts')
    const listing = await discover(root, { exclude: [], signal })
    const files = listDirectoryConfigs(listing.files.map(file => file.path))
    const faults: Fault[] = []
    const config = await loadConfig(cwd, { path, env, files }).catch(error => {
      faults.push(...listFaults(error))
      return undefined
    })
    faults.push(...(await findNeighborFaults(root, config, path)))
    if (config && faults.length === 0) {
      return { valid: true, sources: [...config.sources], faults: [], notices: [...config.notices] }
    }
    return {
      valid: false,
      sources: [...new Set(faults.flatMap(({ place }) => place?.file ?? []))],
      faults: faults.map(({ message, place }) => ({ message, ...place })),
      notices: [],
    }
  },

  text({ valid, sources, faults, notices }, { paint }) {
    if (valid && sources.length === 0) return 'No configuration file: the defaults apply. `svc init` writes one.'
    if (valid) return [`${paint('green', 'valid')}  ${sources.join(', ')}`, ...notices].join('\n')
    const lines = faults.map(({ file, line, column, message }) => {
      const place = file ? `${paint('bold', [file, line, column].filter(part => part !== undefined).join(':'))}  ` : ''
      return `${place}${message}`
    })
    return [...lines, '', `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}.`].join('\n')
  },

  // An invalid configuration is this command's answer; a script has to see it all the same, as every command reports it.
  exit: ({ valid }) => (valid ? 0 : 64),
})
