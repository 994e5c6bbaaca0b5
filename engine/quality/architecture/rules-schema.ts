import type { JsonSchema } from '../../base/json-schema.ts'
import { SEVERITIES } from '../../base/records/finding.ts'
import { IMPORT_KINDS } from './graph.ts'

const text = (description: string): JsonSchema => ({ type: 'string', minLength: 1, description })
const strings = (description: string): JsonSchema => ({
  description,
  anyOf: [
    { type: 'string', minLength: 1 },
    { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
  ],
})
const section = (
  properties: Record<string, JsonSchema>,
  required: readonly string[],
  description: string,
): JsonSchema => ({
  type: 'object',
  description,
  additionalProperties: false,
  required: [...required],
  properties: { ...properties, reason: REASON, severity: SEVERITY },
})
const list = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', description, items })

const REASON = text('why the rule exists: it is shown with each violation')
const SEVERITY: JsonSchema = { type: 'string', enum: [...SEVERITIES], description: 'the severity of its findings' }
const NAME: JsonSchema = {
  type: 'string',
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  maxLength: 60,
  description: 'lower-case letters and digits in words joined by hyphens: the rule ID is architecture:<name>',
}
const PATHS = strings('globs of the files that the rule is for (default: all)')
const EXCEPT = strings('globs of files that the rule is not for')
const FOLDERS = strings('globs of directories, such as src/*')
const KINDS: JsonSchema = {
  type: 'array',
  minItems: 1,
  items: { type: 'string', enum: [...IMPORT_KINDS], description: IMPORT_KINDS.join(', ') },
  description: `the kinds of import that it is for: ${IMPORT_KINDS.join(', ')} (default: all but declare)`,
}
const IMPORTS = {
  name: NAME,
  from: strings('globs of the importing files'),
  to: strings('globs of the imported files'),
  packages: strings('globs of imported packages, such as express or @nestjs/*'),
  except: strings('globs of importing files that the rule is not for'),
  kinds: KINDS,
}
const COUNT: JsonSchema = { type: 'integer', minimum: 0, description: 'a count of files' }

/** JSON Schema of architecture.yaml; docs/reference/architecture.schema.json is the same for editors. */
export const RULES_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'the architecture rules of a repository',
  additionalProperties: false,
  properties: {
    include: strings('globs of the files in the import graph (default: all)'),
    exclude: strings('globs of files that the import graph does not have'),
    layers: list(
      section(
        {
          name: NAME,
          paths: strings('globs of the files of the layer'),
          imports: {
            type: 'array',
            items: { type: 'string' },
            description: 'the names of the layers below that it may import; default: all below',
          },
        },
        ['name', 'paths'],
        'a layer: name and paths',
      ),
      'the layers from top to bottom: a layer imports itself and layers below it',
    ),
    forbidden: list(
      section(IMPORTS, ['name', 'from'], 'a forbidden import: name, from, and to or packages'),
      'imports that no file may have',
    ),
    allowed: list(
      section(IMPORTS, ['name', 'from'], 'allowed imports: name, from, and to or packages'),
      'the only imports that some files may have',
    ),
    cycles: section(
      {
        paths: PATHS,
        except: EXCEPT,
        type_only: { type: 'boolean', description: 'true to count type-only imports (default: false)' },
        folders: strings('globs of directories, such as src/*: cycles between these instead of cycles between files'),
      },
      [],
      'no import cycles',
    ),
    orphans: section(
      {
        paths: PATHS,
        except: EXCEPT,
        entries: strings('globs of entry points: report every file that none of them reaches'),
      },
      [],
      'no file that nothing imports and that imports nothing',
    ),
    public_api: list(
      section(
        {
          folder: strings('globs of directories, such as src/modules/*'),
          entry: strings('globs of the files that may be imported, from the directory (default: its index file)'),
          except: strings('globs of importing files that the rule is not for'),
        },
        ['folder'],
        'a public API: folder, and entry',
      ),
      'directories of which other directories may import only the entry',
    ),
    limits: list(
      section(
        { name: NAME, paths: PATHS, except: EXCEPT, fan_in: COUNT, fan_out: COUNT },
        [],
        'limits: fan_in, fan_out or both',
      ),
      'fan_in is how many files may import a file, fan_out how many a file may import',
    ),
    stable_dependencies: section(
      {
        folders: FOLDERS,
        tolerance: { type: 'number', minimum: 0, maximum: 1, description: 'a number from 0 to 1 (default: 0)' },
      },
      ['folders'],
      'directories import only directories that are at least as stable',
    ),
    unresolved: section({ paths: PATHS, except: EXCEPT }, [], 'no import without a target'),
  },
}
