import { type } from 'arktype'
import { readSettings } from '../../base/disk/settings-file.ts'
import { defineOperation } from '../../door/operation.ts'
import { type ConfigSchema, listAllKeys } from '../../sources/config/keys.ts'
import { findRepositoryRoot, loadConfig } from '../../sources/config/load.ts'
import { CONFIG_PATH } from '../../sources/config/paths.ts'

const Key = type({
  key: type('string').describe('the dotted key'),
  kind: type("'flag' | 'number' | 'text' | 'choice' | 'list' | 'other'").configure(
    { description: 'how a form asks for it; other is written in the file' },
    'self',
  ),
  'choices?': 'string[]',
  description: 'string',
  'default?': 'unknown',
  'value?': type('unknown').describe('the value in force'),
})

/** Every setting with its value in force, what it may be and what it means, and the file that sets them. */
export default defineOperation({
  id: 'pages.configuration',
  summary: 'Return the configuration page: every setting with its value, default and meaning, and the file.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/pages/configuration',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    path: type('string').describe('the path of the file, from the root'),
    text: type('string').describe('the text of the file; empty if there is none'),
    sources: type('string[]').describe('the files and variables that the settings come from'),
    notices: 'string[]',
    keys: Key.array(),
  }),

  async run(_input, { cwd, env }) {
    const root = findRepositoryRoot(cwd)
    const config = await loadConfig(root, { env })
    const rows = listAllKeys().filter(({ key, leaf }) => leaf && !/[<[]/.test(key))
    return {
      path: CONFIG_PATH,
      text: (readSettings(root, CONFIG_PATH) ?? Buffer.alloc(0)).toString('utf8'),
      sources: [...config.sources],
      notices: [...config.notices],
      keys: rows.map(({ key, schema }) => {
        const value = valueAt(config, key)
        return {
          key,
          ...kindOf(schema),
          description: schema.description ?? '',
          ...(schema.default !== undefined && { default: schema.default }),
          ...(value !== undefined && { value }),
        }
      }),
    }
  },

  text: ({ keys }) => `${keys.length} settings`,
})

/** The value of a dotted key; sections of settings are plain objects. */
function valueAt(settings: object, key: string): unknown {
  let at: unknown = settings
  for (const part of key.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined
    at = (at as Record<string, unknown>)[part]
  }
  return at
}

function kindOf(schema: ConfigSchema): Pick<typeof Key.infer, 'kind' | 'choices'> {
  const choices = (schema.enum ?? []).filter(value => typeof value === 'string')
  if (choices.length > 0) return { kind: 'choice', choices }
  if (schema.type === 'boolean') return { kind: 'flag' }
  if (schema.type === 'integer' || schema.type === 'number') return { kind: 'number' }
  if (schema.type === 'string') return { kind: 'text' }
  if (schema.type === 'array' && (schema.items as ConfigSchema | undefined)?.type !== 'object') return { kind: 'list' }
  return { kind: 'other' }
}
