import { existsSync, statSync } from 'node:fs'
import { basename, relative, resolve, sep } from 'node:path'
import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import { isInside } from '../../base/disk/project-write.ts'
import { readNamedSettings } from '../../base/disk/settings-file.ts'
import { EngineError } from '../../base/errors.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { MAX_SPEC_BYTES, SPEC_FORMATS } from '../../specs/document.ts'
import { WEAKNESS_KINDS } from '../../specs/weakness.ts'

/** What the glob of a document begins with that is not in the repository. */
const ANYWHERE = '**/'
/** Places that a person is shown; --json and -v have all. */
const SHOWN = 30

/** Makes a pack of rules from an API specification, so that every scan finds what is weak in it. */
export default defineOperation({
  id: 'specs.import',
  summary: 'Generate rules from an API specification: OpenAPI 2.0 to 3.2, AsyncAPI 2 and 3, protobuf.',
  effect: 'write',
  action: 'manage_packs',
  weakens: ({ overwrite }) => overwrite,
  cli: 'import-spec <file>',
  rest: null,
  mcp: null,
  short: { format: 'f' },
  input: type({
    file: type('string > 0').describe('a specification file'),
    'format?': type
      .enumerated(...SPEC_FORMATS)
      .configure({ description: `a format (${SPEC_FORMATS.join(', ')}) (default: detected from the file)` }, 'self'),
    'id?': type('string > 0').describe("an id for the pack (default: derived from the document's title)"),
    overwrite: type('boolean').describe('true to replace a pack generated before').default(false),
    enable: type('boolean').describe('true to enable the pack as well').default(false),
    'config?': type('string > 0').describe('a configuration file'),
    '+': 'reject',
  }),
  output: type({
    id: 'string',
    format: type.enumerated(...SPEC_FORMATS).configure({ description: 'the format of the document' }, 'self'),
    version: type('string').describe('the version of the format'),
    path: type('string').describe('the directory of the pack'),
    rules: type('string[]').describe('the ids of the rules'),
    obligations: 'number.integer',
    places: type({
      rule_id: 'string',
      kind: type.enumerated(...WEAKNESS_KINDS).configure({ description: WEAKNESS_KINDS.join(', ') }, 'self'),
      pointer: type('string').describe('a JSON pointer; for protobuf, names of message and field'),
      what: 'string',
      place: type({ file: 'string', 'line?': 'number.integer', 'column?': 'number.integer' }),
    })
      .array()
      .describe('weaknesses found in the document'),
    looks_at: type('string').describe('a glob of the files that the rules scan'),
    in_scan: type('boolean').describe('whether scans include such a file'),
    enabled: type('boolean').describe('whether a scan uses it'),
  }),
  examples: [
    ['svc import-spec api/openapi.yaml --enable', 'generate rules from a specification and turn them on'],
    ['svc import-spec api/openapi.yaml --overwrite', 'regenerate the rules after the specification changed'],
    ['svc import-spec proto/orders.proto --id orders-rpc', 'set the pack ID'],
  ],

  check: async (input, context) => {
    const { made } = await makePack(input, context)
    const { checkImport } = await import('../../sources/packs/import/run.ts')
    await checkImport(made.draft, input, context)
  },

  async run(input, context) {
    const { overwrite, enable } = input
    const { settings, path, made } = await makePack(input, context)
    const { listScannedFiles } = await import('../../sources/packs/scanned.ts')
    const { importDraft } = await import('../../sources/packs/import/run.ts')
    const name = basename(path)
    const isLookedAt = (scanned: string) =>
      scanned === path || (path.startsWith(ANYWHERE) && basename(scanned) === name)
    const in_scan = (await listScannedFiles(settings, context.signal)).some(scanned => isLookedAt(scanned.path))
    const report = await importDraft(made.draft, { overwrite, enable }, context)
    return {
      id: report.id,
      format: made.format,
      version: made.version,
      path: report.path,
      rules: report.rules,
      obligations: report.obligations,
      places: made.places,
      looks_at: path,
      in_scan,
      enabled: report.enabled,
    }
  },

  text({ id, format, version, path, rules, obligations, places, looks_at, in_scan, enabled }, { paint, verbose }) {
    const size = [
      formatCount(rules.length, 'rule'),
      ...(obligations > 0 ? [formatCount(obligations, 'obligation')] : []),
    ].join(', ')
    const shown = verbose ? places : places.slice(0, SHOWN)
    const more = places.length - shown.length
    return [
      `${paint('green', 'imported')}  ${id} (${format} ${version}, ${size}) into ${path}.`,
      ...shown.map(
        ({ place, kind, pointer, what }) =>
          `  ${place.file}:${place.line ?? 1}:${place.column ?? 1}  ${paint('yellow', kind)}  ${what}  ${paint('dim', pointer)}`,
      ),
      ...(more > 0 ? [`  and ${more} more; -v shows all`] : []),
      `${places.length === 0 ? 'No weaknesses' : formatCount(places.length, 'weakness', 'weaknesses')}.`,
      ...whereLooked(looks_at, in_scan),
      enabled
        ? `It is active${in_scan ? ': every scan checks the file' : ''}.`
        : `It is not active, so no scan uses it. Activate it: svc add-pack ${id}`,
    ].join('\n')
  },
})

/** What is to be known of where scans look, in a line; none where they look at the document itself. */
function whereLooked(looks_at: string, in_scan: boolean): string[] {
  if (looks_at.startsWith(ANYWHERE)) {
    const now = in_scan ? '' : '; none exists now'
    return [
      `The file is outside the repository, so scans check files of the repository named ${basename(looks_at)}${now}.`,
    ]
  }
  return in_scan
    ? []
    : [`Scans skip ${looks_at} (ignored by git or excluded by scan_exclude), so they report nothing there.`]
}

/** The document, and where rules are to look for it: its path in the repository, else any file of its name. */
function read(file: string, root: string, { cwd }: Context): { bytes: Uint8Array; path: string } {
  const path = resolve(cwd, file)
  if (!existsSync(path) || statSync(path).isDirectory())
    throw new EngineError('NOT_FOUND', `There is no file ${file}.`, { hint: 'Pass the path of an API specification.' })
  const inRepository = isInside(root, path)
  return {
    bytes: readNamedSettings(path, file, { most: MAX_SPEC_BYTES, code: 'INPUT_INVALID' }) ?? Buffer.alloc(0),
    path: inRepository ? relative(root, path).split(sep).join('/') : `${ANYWHERE}${basename(path)}`,
  }
}

interface Given {
  file: string
  format?: (typeof SPEC_FORMATS)[number]
  id?: string
  config?: string
}

/** The pack that is made of the document; NOT_FOUND or INPUT_INVALID where there is none to make. */
async function makePack({ file, format, id, config }: Given, context: Context) {
  const settings = await loadConfig(context.cwd, { env: context.env, ...(config !== undefined && { path: config }) })
  const { bytes, path } = read(file, settings.root, context)
  const { makeSpecPack } = await import('../../specs/pack.ts')
  const made = await makeSpecPack(bytes, {
    file,
    path,
    ...(format !== undefined && { format }),
    ...(id !== undefined && { id }),
  })
  return { settings, path, made }
}
