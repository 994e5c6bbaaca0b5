import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type } from 'arktype'
import { writeProjectFile } from '../../base/disk/project-write.ts'
import { readSettings } from '../../base/disk/settings-file.ts'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { parseLayer } from '../../sources/config/layer.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { CONFIG_PATH, LEGACY_PATH } from '../../sources/config/paths.ts'
import { refuseConfig } from '../../sources/config/validate.ts'

/** Moves the legacy configuration to its place, comments and all; the keys are the same. */
export default defineOperation({
  id: 'config.migrate',
  summary: 'Migrate .guard.yaml to .svc/config.yaml.',
  effect: 'write',
  action: 'edit_config',
  cli: 'migrate',
  rest: null,
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({ from: 'string', to: 'string' }),
  examples: [['svc migrate', 'move .guard.yaml to .svc/config.yaml']],

  check: async (_input, { cwd }) => {
    await readLegacy(findRepositoryRoot(cwd))
  },

  async run(_input, context) {
    const root = findRepositoryRoot(context.cwd)
    const bytes = await readLegacy(root)
    writeProjectFile(root, CONFIG_PATH, Buffer.from(bytes).toString('utf8'))
    rmSync(join(root, LEGACY_PATH))
    return { from: LEGACY_PATH, to: CONFIG_PATH }
  },

  text: ({ from, to }) => `${from} is now ${to}.`,
})

/** The legacy file, which can be moved as it is: NOT_FOUND, CONFLICT or CONFIG_INVALID where it cannot. */
async function readLegacy(root: string): Promise<Uint8Array> {
  if (!existsSync(join(root, LEGACY_PATH)))
    throw new EngineError('NOT_FOUND', `There is no ${LEGACY_PATH} to migrate.`, {
      hint: 'Run `svc init` to write a configuration.',
    })
  if (existsSync(join(root, CONFIG_PATH)))
    throw new EngineError('CONFLICT', `${CONFIG_PATH} exists already, and svc reads that file.`, {
      hint: `Copy what you need from ${LEGACY_PATH} by hand, then delete it.`,
    })
  const bytes = readSettings(root, LEGACY_PATH) ?? Buffer.alloc(0)
  const { faults } = await parseLayer(bytes, LEGACY_PATH, 'root')
  if (faults.length > 0) throw refuseConfig(faults, 'Correct it first; nothing was moved.')
  return bytes
}
