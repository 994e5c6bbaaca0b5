import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { editConfig, setKeys, tryEdit } from '../../sources/config/edit.ts'
import { findRepositoryRoot, loadConfig } from '../../sources/config/load.ts'
import type { Tree } from '../../sources/config/merge.ts'
import { CONFIG } from '../../sources/config/schema.ts'

export default defineOperation({
  id: 'governance.update-settings',
  summary: 'Update the governance settings in .svc/config.yaml; comments are preserved.',
  effect: 'write',
  action: 'edit_config',
  weakens: true,
  paths: () => ['.svc/config.yaml'],
  cli: null,
  rest: 'POST /api/governance',
  mcp: null,
  input: type({ set: type('object').describe('keys of governance to set, nested as in the file'), '+': 'reject' }),
  output: type({ changed: 'boolean', settings: CONFIG.out.get('governance') }),

  check: async ({ set }, { cwd }) => {
    await tryEdit(findRepositoryRoot(cwd), document => setKeys(document, { governance: set as Tree }))
  },

  async run({ set }, { cwd, env }) {
    const root = findRepositoryRoot(cwd)
    const { changed } = await editConfig(root, document => setKeys(document, { governance: set as Tree }))
    return { changed, settings: (await loadConfig(root, { env })).governance }
  },

  text: ({ changed }) => (changed ? 'The settings are written.' : 'The settings are so already.'),
})
