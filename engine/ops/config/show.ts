import { dirname, relative, resolve, sep } from 'node:path'
import { type } from 'arktype'
import { isInside } from '../../base/disk/project-write.ts'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { findRepositoryRoot, loadConfig } from '../../sources/config/load.ts'
import { CONFIG } from '../../sources/config/schema.ts'

/** The settings in force, every default filled in: for the repository, or for one file of it. */
export default defineOperation({
  id: 'config.show',
  summary: 'Show the effective configuration, including defaults.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/config',
  mcp: null,
  input: type({
    'path?': type('string > 0').describe('a path in the repository, to show the effective configuration of that file'),
    '+': 'reject',
  }),
  output: type({ settings: CONFIG.out, sources: 'string[]', notices: 'string[]' }),

  async run({ path }, { cwd, env }) {
    const root = findRepositoryRoot(cwd)
    const file = resolve(root, path ?? '.')
    if (!isInside(root, file)) throw new EngineError('PATH_ESCAPES', `The path ${path} is outside the project.`)
    const config = await loadConfig(path === undefined ? root : dirname(file), { env })
    const settings = path === undefined ? { ...config } : config.for(relative(root, file).split(sep).join('/'))
    return { settings, sources: [...config.sources], notices: [...config.notices] }
  },

  text: ({ settings }) => JSON.stringify(settings, null, 2),
})
