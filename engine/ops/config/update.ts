import { type } from 'arktype'
import type { Document } from 'yaml'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { editConfig, setKeys, tryEdit, unsetKey } from '../../sources/config/edit.ts'
import { findSchema } from '../../sources/config/keys.ts'
import { findRepositoryRoot, loadConfig } from '../../sources/config/load.ts'
import type { Tree } from '../../sources/config/merge.ts'
import { CONFIG } from '../../sources/config/schema.ts'

/** Writes keys to the root's configuration file; its comments stay, and nothing invalid is written. */
export default defineOperation({
  id: 'config.update',
  summary: 'Set or remove keys of .svc/config.yaml; comments are preserved.',
  effect: 'write',
  action: ({ dry_run }) => (dry_run ? 'read_findings' : 'edit_config'),
  weakens: ({ dry_run }) => dry_run !== true,
  cli: null,
  rest: 'POST /api/config',
  mcp: null,
  input: type({
    set: type('object')
      .describe('an object of keys to set, nested as in the file')
      .default(() => ({})),
    unset: type('string > 0')
      .array()
      .describe('a list of dotted keys to remove, such as gate.fail_on')
      .default(() => []),
    'dry_run?': type('boolean').describe('true to validate the change and show the file, and write nothing'),
    '+': 'reject',
  }),
  output: type({
    changed: type('boolean').describe('whether the file differs, or would'),
    source: 'string',
    settings: CONFIG.out.describe('the settings in force: of a dry run, those that are in force now'),
    before: type('string').describe('the text of the file before the change'),
    after: 'string',
  }),

  check: async (input, { cwd }) => {
    await tryEdit(findRepositoryRoot(cwd), plan(input))
  },

  async run(input, { cwd, env }) {
    const root = findRepositoryRoot(cwd)
    const edit = input.dry_run ? tryEdit : editConfig
    const { path, changed, before, after } = await edit(root, plan(input))
    return { changed, source: path, settings: { ...(await loadConfig(root, { env })) }, before, after }
  },

  text: ({ changed, source }) => (changed ? `${source} is written.` : `${source} has this value already.`),
})

/** The edit that is asked for; INPUT_INVALID where a key to remove is not known. */
function plan({ set, unset }: { set: object; unset: readonly string[] }): (document: Document) => void {
  const unknown = unset.find(key => findSchema(key) === undefined)
  if (unknown !== undefined)
    throw new EngineError('INPUT_INVALID', `unset contains ${unknown}, which is not a known key.`)
  return document => {
    for (const key of unset) unsetKey(document, key)
    setKeys(document, set as Tree)
  }
}
