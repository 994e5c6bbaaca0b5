import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { deletePack, isOwnPack, requireOwnPack } from '../../sources/packs/install.ts'
import { loadBuiltinPacks } from '../../sources/packs/load.ts'
import { forgetPack } from '../../sources/packs/state.ts'

/** Removes a pack of the repository's own, files and all. A built-in pack can only be switched off. */
export default defineOperation({
  id: 'packs.delete',
  summary: 'Delete a pack from the repository.',
  effect: 'destroy',
  action: 'manage_packs',
  weakens: true,
  cli: null,
  rest: 'DELETE /api/packs/{id}',
  mcp: null,
  input: type({ id: type('string > 0').describe('a pack id'), '+': 'reject' }),
  output: type({ id: 'string', deleted: 'boolean' }),

  check: ({ id }, { cwd }) => requireOwn(findRepositoryRoot(cwd), id),

  async run({ id }, { cwd }) {
    const root = findRepositoryRoot(cwd)
    requireOwn(root, id)
    deletePack(root, id)
    await forgetPack(root, id)
    return { id, deleted: true }
  },

  text: ({ id }) => `Deleted the pack ${id}.`,
})

/** CONFLICT for a pack that is built in, NOT_FOUND where there is none of the repository's own. */
function requireOwn(root: string, id: string): void {
  if (!isOwnPack(root, id) && loadBuiltinPacks().some(pack => pack.id === id)) {
    throw new EngineError('CONFLICT', `The pack ${id} is built in and cannot be deleted.`, {
      hint: 'Switch it off with `svc remove-pack`.',
    })
  }
  requireOwnPack(root, id)
}
