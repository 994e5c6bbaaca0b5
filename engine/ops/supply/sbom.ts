import { readFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { type } from 'arktype'
import { parseSourceDate } from '../../assure/model.ts'
import { resolveOutputFile, writeOutput } from '../../base/disk/output-file.ts'
import { EngineError } from '../../base/errors.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { VERSION } from '../../base/version.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { discover } from '../../sources/repository/discover.ts'
import { makeOut } from '../../sources/store/layout.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'
import { ManifestFault } from '../../supply/inventory/parsed.ts'
import { chooseVersion, mediaTypeOf, SBOM_FORMATS, writeSbom } from '../../supply/sbom/write.ts'

const Manifest = type({
  file: 'string',
  format: 'string',
  state: type("'read' | 'failed' | 'unsupported' | 'excluded'").configure(
    { description: 'read, failed, unsupported or excluded' },
    'self',
  ),
  'detail?': 'string',
  'line?': 'number.integer',
  packages: 'number.integer',
})

/** Writes what the repository is made of as a software bill of materials; lists manifests; judges a bill of anybody's. */
export default defineOperation({
  id: 'supply.sbom',
  summary: 'Write a software bill of materials (SBOM) of the repository in CycloneDX or SPDX, or check one.',
  effect: 'read',
  cli: 'sbom',
  rest: 'GET /api/sbom',
  mcp: null,
  short: { format: 'f', output: 'o', list: 'l' },
  input: type({
    format: type
      .enumerated(...SBOM_FORMATS)
      .configure({ description: 'cyclonedx or spdx' }, 'self')
      .default('cyclonedx'),
    'spec_version?': type('string > 0').describe(
      'a version of the format: 1.4 to 1.7, 2.3 or 3.0.1 (default: 1.6, 2.3)',
    ),
    encoding: type("'json' | 'xml'").configure({ description: 'json or xml' }, 'self').default('json'),
    'output?': type('string > 0').describe('an output file, or - for standard output (default: out/sbom.json)'),
    list: type('boolean').describe('true or false: list the manifests and lock files that were found').default(false),
    'check?': type('string > 0').describe('an SBOM file to check, of any tool'),
    'config?': type('string > 0').describe('a configuration file (default: .svc/config.yaml)'),
    '+': 'reject',
  }),
  output: type({
    format: 'string',
    spec_version: 'string',
    encoding: 'string',
    components: 'number.integer',
    direct: 'number.integer',
    projects: 'number.integer',
    unresolved: type('number.integer').describe('components whose version no file says'),
    manifests: Manifest.array(),
    complete: type('boolean').describe('whether every manifest was read whole'),
    'output?': type('string').describe('the file that was written'),
    'document?': type('string').describe('the document, where it was not written to a file'),
    'faults?': type({ kind: 'string', severity: 'string', message: 'string', 'at?': 'string' }).array(),
    'elements?': type({ '[string]': 'number.integer' }).describe('how many components have each element'),
  }),
  examples: [
    ['svc sbom', 'write out/sbom.json in CycloneDX 1.6'],
    ['svc sbom --format spdx -o sbom.spdx.json', 'write SPDX 2.3'],
    ['svc sbom --list', 'list the manifests and lock files that are read'],
    ['svc sbom --check out/sbom.json', 'check an SBOM: schema, references, minimum elements'],
  ],
  raw: {
    field: 'document',
    type: ({ format, spec_version, encoding }) =>
      mediaTypeOf(format === 'spdx' ? 'spdx' : 'cyclonedx', encoding === 'xml' ? 'xml' : 'json', spec_version),
  },

  async run({ format, spec_version, encoding, output, list, check, config: named }, { cwd, env, surface, signal }) {
    if (surface !== 'cli' && (output !== undefined || check !== undefined || named !== undefined || list))
      throw new EngineError('FORBIDDEN', 'output, check, list and config are for the command line only.', {
        hint: 'Omit them: the answer is the document.',
      })
    const nothing = { components: 0, direct: 0, projects: 0, unresolved: 0, manifests: [], complete: true }
    if (check !== undefined) return { ...nothing, encoding: 'json', ...(await judgeFile(cwd, check)) }
    const version = chooseVersion(format, spec_version, encoding)
    const path = output === undefined || output === '-' ? undefined : resolveOutputFile(cwd, output)
    const config = await loadConfig(cwd, { env, ...(named !== undefined && { path: resolve(cwd, named) }) })
    const listing = await discover(config.root, { exclude: config.scan_exclude, signal })
    const { readInventory } = await import('../../supply/inventory/read.ts')
    const inventory = await readInventory(listing, { signal })
    const { components, projects, manifests } = inventory
    const summary = {
      ...{
        format,
        spec_version: version,
        encoding,
        components: components.length,
        projects: projects.length,
        manifests,
      },
      direct: components.filter(({ direct }) => direct).length,
      unresolved: components.filter(each => each.version === undefined).length,
      complete: manifests.every(({ state }) => state !== 'failed'),
    }
    if (list) return summary
    const { makeBill } = await import('../../supply/sbom/bill.ts')
    const bill = makeBill(inventory, {
      ...{ name: basename(listing.root), tool: { name: 'svc', version: VERSION } },
      ...(listing.git_sha !== undefined && { commit: listing.git_sha }),
      created: parseSourceDate(env.SOURCE_DATE_EPOCH) ?? new Date(),
    })
    const document = await writeSbom(bill, { format, version, encoding })
    if (surface !== 'cli' || output === '-') return { ...summary, document }
    const out = locateOutput(config.root, env, config.output_dir)
    if (path === undefined) makeOut(out)
    const written = path ?? join(out, encoding === 'xml' ? 'sbom.xml' : 'sbom.json')
    writeOutput(written, document)
    return { ...summary, output: output ?? (relative(cwd, written) || written) }
  },

  text(result, { paint, verbose }) {
    if (result.document !== undefined) return result.document.trimEnd()
    if (result.faults !== undefined) return describeJudgment(result, paint)
    const bad = result.manifests.filter(({ state }) => state === 'failed')
    const gaps = result.manifests.filter(({ state }) => state === 'unsupported')
    const excluded = result.manifests.filter(({ state }) => state === 'excluded')
    const lines = result.manifests
      .filter(({ state }) => result.output === undefined || state === 'failed' || state === 'unsupported' || verbose)
      .map(({ file, format, state, packages, detail, line }) => {
        const place = line === undefined ? file : `${file}:${line}`
        const what =
          state === 'read'
            ? `${formatCount(packages, 'package')}${detail ? ` (${detail})` : ''}`
            : `${state}: ${detail ?? ''}`
        return `${paint(state === 'failed' ? 'red' : 'dim', format.padEnd(20))} ${escapeInvisibleLine(place)}  ${escapeInvisibleLine(what)}`
      })
    const total = `${formatCount(result.components, 'component')} (${result.direct} direct), ${formatCount(result.projects, 'project')}, ${formatCount(result.manifests.length, 'manifest')}`
    return [
      ...lines,
      `${total}${result.output === undefined ? '.' : `, written to ${escapeInvisibleLine(result.output)}.`}`,
      ...(result.unresolved > 0
        ? [`${formatCount(result.unresolved, 'component')} without a version: no lock file says it.`]
        : []),
      ...(excluded.length > 0 ? [`${formatCount(excluded.length, 'manifest')} excluded from scans.`] : []),
      ...(gaps.length > 0 ? [`${formatCount(gaps.length, 'manifest')} not supported: components may be missing.`] : []),
      ...(bad.length > 0
        ? [paint('red', `${formatCount(bad.length, 'manifest')} could not be read: components are missing.`)]
        : []),
    ].join('\n')
  },

  exit: ({ complete, faults }) => (complete && !faults?.some(({ severity }) => severity === 'error') ? 0 : 1),
})

/** A bill of materials is some tens of megabytes at most. */
const MOST_BYTES = 256 * 2 ** 20

async function judgeFile(cwd: string, named: string) {
  const { checkSbom } = await import('../../supply/sbom/check.ts')
  let content: Buffer
  try {
    content = readFileSync(resolve(cwd, named))
  } catch (cause) {
    throw new EngineError('NOT_FOUND', `The file ${JSON.stringify(named)} cannot be read.`, { cause })
  }
  if (content.length > MOST_BYTES)
    throw new EngineError('INPUT_INVALID', `${named} is larger than ${MOST_BYTES} bytes.`)
  try {
    const { version: spec_version, ...judgment } = await checkSbom(content.toString('utf8'))
    return { spec_version, ...judgment }
  } catch (error) {
    if (!(error instanceof ManifestFault)) throw error
    const place = { file: named, ...(error.line !== undefined && { line: error.line }) }
    const hint = 'SBOMs in JSON are checked: CycloneDX 1.2 to 1.7, SPDX 2.3.'
    throw new EngineError('INPUT_INVALID', `${named} is no SBOM in JSON: ${error.message}.`, { place, hint })
  }
}

interface Judged {
  format: string
  spec_version: string
  components: number
  faults?: { kind: string; severity: string; message: string; at?: string }[]
  elements?: Record<string, number>
}

function describeJudgment(
  { format, spec_version, components, faults = [], elements = {} }: Judged,
  paint: (style: 'red' | 'yellow' | 'green', text: string) => string,
): string {
  const errors = faults.filter(({ severity }) => severity === 'error').length
  return [
    ...faults.map(
      ({ kind, severity, message, at }) =>
        `${paint(severity === 'error' ? 'red' : 'yellow', severity.padEnd(5))} ${kind.padEnd(9)} ${escapeInvisibleLine(message)}${at === undefined ? '' : `  ${escapeInvisibleLine(at)}`}`,
    ),
    ...Object.entries(elements).map(([element, count]) => `${element.padEnd(17)} ${count} of ${components}`),
    errors === 0
      ? paint(
          'green',
          `${format} ${spec_version} is valid: ${formatCount(components, 'component')}, ${formatCount(faults.length, 'gap')}.`,
        )
      : paint('red', `${format} ${spec_version} has ${formatCount(errors, 'error')}.`),
  ].join('\n')
}
