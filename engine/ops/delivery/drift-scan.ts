import { relative } from 'node:path'
import { type } from 'arktype'
import { resolveOutputFile, writeOutput } from '../../base/disk/output-file.ts'
import { EngineError } from '../../base/errors.ts'
import { askAboutDrift } from '../../delivery/drift/ask.ts'
import { detectDrift, hasPassed } from '../../delivery/drift/detect.ts'
import { DriftType, HeldDriftType, UnknownDriftType } from '../../delivery/drift/schema.ts'
import { formatDrift } from '../../delivery/drift/text.ts'
import { readNamedRequirements } from '../../delivery/requirements/read.ts'
import { readLinks } from '../../delivery/trace/gather.ts'
import { listRepository, refuseWithoutRequirements, reportProgress } from '../../delivery/trace/listing.ts'
import { readStaged } from '../../delivery/trace/staged.ts'
import { defineOperation } from '../../door/operation.ts'
import { EXCHANGE_OPTIONS } from '../../review/llm/exchange-schema.ts'
import { PlannedType } from '../../review/llm/planned-schema.ts'
import { formatPlanned } from '../../review/llm/planned-text.ts'

/** Compares confirmed requirements with the code of now. */
export default defineOperation({
  id: 'delivery.drift-scan',
  summary: 'Scan for drift between confirmed requirements and code: structure, other files, words of the requirement.',
  effect: 'write',
  action: 'read_findings',
  cli: 'drift-scan',
  rest: null,
  mcp: null,
  short: { requirements: 'r', output: 'o' },
  examples: [
    ['svc drift-scan', 'compare every confirmed requirement: exit 1 on drift'],
    ['svc drift-scan --dry-run', 'show what would be sent to the configured model, and send nothing'],
    ['svc drift-scan --staged', 'compare the requirements that staged changes are about'],
    ['svc drift-scan -r spec/requirements.yaml -o drift.json', 'compare the requirements of one file, and write JSON'],
  ],
  input: type({
    'requirements?': type('string > 0').describe('a file of requirements, in place of those of the repository'),
    staged: type('boolean')
      .describe('true or false: compare only requirements that staged changes are about, with the staged content')
      .default(false),
    'output?': type('string > 0').describe('an output file for the result as JSON'),
    ...EXCHANGE_OPTIONS,
    'config?': type('string > 0').describe('a configuration file'),
    '+': 'reject',
  }),
  output: type({
    passed: type('boolean').describe('whether no drift was found, and every confirmed requirement could be compared'),
    drifts: DriftType.array(),
    not_evaluated: UnknownDriftType.array().describe('what was not judged: neither drift nor none'),
    held: HeldDriftType.array().describe(
      'what a configured model finds to hold, with a line; it verifies nothing by itself',
    ),
    unconfirmed: type('string[]').describe('requirements that nobody confirmed: drift is unknown'),
    compared: 'number.integer >= 0',
    confidence: 'number',
    'planned?': PlannedType.array().describe('with dry_run: the requests that would be sent'),
    'unsent?': type('string').describe('with dry_run: why nothing more would be sent'),
    'written?': type('string').describe('the file that was written'),
  }),

  async run({ requirements, staged, output, config: path, dry_run, record, replay }, context) {
    if (output !== undefined && context.surface !== 'cli')
      throw new EngineError('FORBIDDEN', 'A file to write can be named on the command line only.')
    if (output !== undefined && dry_run)
      throw new EngineError(
        'INPUT_INVALID',
        'dry_run judges nothing, so there is no result to write: leave out output.',
      )
    const file = output === undefined ? undefined : resolveOutputFile(context.cwd, output)
    const { config, listing } = await listRepository(context, path)
    const { signal } = context
    const maxBytes = config.scan.max_file_bytes
    const set = requirements === undefined ? undefined : await readNamedRequirements(config.root, requirements, context)
    const change = staged ? await readStaged(listing, maxBytes, context) : undefined
    const files = change?.listing ?? listing
    const contents = change?.contents
    const linked = await readLinks({
      ...{ config, listing: files, signal, contents, set, onProgress: reportProgress(context, 'drift') },
    })
    if (linked.set.sources.length === 0) throw refuseWithoutRequirements()
    const detected = await detectDrift(linked, {
      ...{ listing: files, maxBytes, contents, signal },
      ...(change && {
        includes: (requirement, paths) =>
          change.changed.has(requirement.file) || paths.some(each => change.changed.has(each)),
      }),
    })
    const { drifts, unknown, unconfirmed, compared, held, planned, unsent } = await askAboutDrift(detected, linked, {
      ...{ config, listing: files, contents, context, flags: { dry_run, record, replay } },
    })
    const result = {
      passed: hasPassed({ drifts, unknown }),
      drifts,
      not_evaluated: unknown,
      held,
      unconfirmed,
      compared,
      confidence: 0.7,
      ...(planned && { planned, unsent }),
    }
    if (file === undefined) return result
    writeOutput(file, `${JSON.stringify(result, null, 2)}\n`)
    return { ...result, written: relative(context.cwd, file) || file }
  },

  text({ not_evaluated: unknown, written, planned, unsent, ...result }, view) {
    if (planned) return formatPlanned(planned, { reason: unsent })
    const rows = [formatDrift({ ...result, unknown } as never, view)]
    if (written !== undefined) rows.push(`Wrote ${written}.`)
    return rows.join('\n')
  },
  // A dry run judges nothing.
  exit: ({ passed, planned }) => (passed || planned ? 0 : 1),
})
