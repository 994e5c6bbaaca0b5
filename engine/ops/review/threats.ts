import { existsSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import { resolveOutputFile, writeOutput } from '../../base/disk/output-file.ts'
import { isInside } from '../../base/disk/project-write.ts'
import { readRegular } from '../../base/disk/read.ts'
import { EngineError } from '../../base/errors.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { refuseAgent } from '../../governance/acting-agent.ts'
import { readChangedFiles, readText } from '../../review/content.ts'
import { LlmPartType } from '../../review/design/decision-schema.ts'
import { formatLlm } from '../../review/design/text.ts'
import { EXCHANGE_OPTIONS } from '../../review/llm/exchange-schema.ts'
import { openModel } from '../../review/llm/open.ts'
import { PlannedType } from '../../review/llm/planned-schema.ts'
import { formatPlanned } from '../../review/llm/planned-text.ts'
import type { PlannedRequest } from '../../review/llm/session.ts'
import { formatNow, writeDocument } from '../../review/stored-file.ts'
import { askForThreats } from '../../review/threats/ask.ts'
import {
  assessThreats,
  mitigate,
  readThreats,
  sealMitigations,
  THREATS_FILE,
  type ThreatDocument,
} from '../../review/threats/assess.ts'
import { summarizeStride } from '../../review/threats/bearing.ts'
import { EXPORT_FORMATS, exportThreats } from '../../review/threats/export.ts'
import { importThreats } from '../../review/threats/import.ts'
import { STRIDE, type Threat } from '../../review/threats/model.ts'
import { formatBearing, formatModel, formatThreats } from '../../review/threats/text.ts'
import { BearingType, ModelType, StrideSummaryType, ThreatType } from '../../review/threats/threat-schema.ts'
import { type Config, loadConfig } from '../../sources/config/load.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'

/** The largest model of another tool that is read. */
const MOST_IMPORTED = 32 << 20

/** Models the data flows of the repository and derives STRIDE threats; keeps which are mitigated. */
export default defineOperation({
  id: 'review.threats',
  summary: 'Build the data-flow model of the repository and list its STRIDE threats.',
  effect: 'write',
  action: ({ mitigate: id, import: file }) =>
    id === undefined && file === undefined ? 'read_findings' : 'resolve_approval',
  cli: 'threat-model',
  rest: null,
  mcp: null,
  short: { file: 'f', output: 'o' },
  examples: [
    ['svc threat-model', 'build the model and list the threats'],
    ['svc threat-model --format html --output out/threats.html', 'write a page with the diagram'],
    ['svc threat-model --git-range main...HEAD --stride tampering', 'list threats that the change bears on'],
    ['svc threat-model --mitigate TM-1a2b3c4d5e --note "rate limit in the proxy"', 'note that a threat is mitigated'],
  ],
  input: type({
    'file?': type('string > 0').describe('a file: only threats whose locations are in it'),
    'git_range?': type('string > 0').describe(
      'a range of commits: only threats whose locations are in files that it changes',
    ),
    'stride?': type
      .enumerated(...STRIDE)
      .configure({ description: `a STRIDE category (${STRIDE.join(', ')})` }, 'self'),
    pending: type('boolean').describe('true or false: only stored threats that are pending').default(false),
    'mitigate?': type(/^TM-[0-9a-f]{10}$/).describe(
      'the id of a threat that is mitigated (TM- and ten hexadecimal digits)',
    ),
    'note?': type('0 < string <= 2000').describe('a note on the mitigation, up to 2000 characters'),
    'format?': type
      .enumerated(...EXPORT_FORMATS)
      .configure({ description: `a format of the model (${EXPORT_FORMATS.join(', ')})` }, 'self'),
    'output?': type('string > 0').describe('an output file for the format (default: standard output)'),
    'import?': type('string > 0').describe(
      'a Threat Dragon 2 or Open Threat Model file whose threats and mitigations to take over',
    ),
    ...EXCHANGE_OPTIONS,
    'config?': type('string > 0').describe('a configuration file'),
    '+': 'reject',
  }),
  output: type({
    generated_at: 'string | null',
    model: ModelType.or('null'),
    threats: ThreatType.array(),
    counts: type({ total: 'number.integer', pending: 'number.integer', mitigated: 'number.integer' }),
    run_id: type('string | null').describe(
      'the scan whose findings count; null if there is none: findings are unknown then',
    ),
    by_stride: StrideSummaryType.array().describe('each category with its threats, findings and weaknesses'),
    findings: BearingType.array().describe('open findings that bear on a category, the most severe first; at most 500'),
    unread: type({ path: 'string', reason: 'string' }).array().describe('files that could not be read for the model'),
    llm: LlmPartType,
    'planned?': PlannedType.array().describe('with dry_run: the requests that would be sent'),
    'mitigated?': 'string',
    'imported?': type({
      format: 'string',
      updated: 'number.integer',
      added: 'number.integer',
      skipped: 'number.integer',
    }),
    'content?': type('string').describe('the model in the format that was asked for'),
    'written?': type('string').describe('the file that was written'),
  }),

  async run(input, context) {
    const { mitigate: id, note, format, output, import: imported, pending } = input
    refuseContradictions(input)
    const config = await loadConfig(context.cwd, { env: context.env, path: input.config })
    if (input.file !== undefined && !existsSync(resolve(context.cwd, input.file)))
      throw new EngineError('NOT_FOUND', `There is no file ${input.file}.`)
    const by = context.env.USER ?? context.env.USERNAME
    const target = output === undefined ? undefined : resolveOutputFile(context.cwd, output)
    const more: {
      planned?: PlannedRequest[]
      mitigated?: string
      imported?: { format: string; updated: number; added: number; skipped: number }
    } = {}
    let document: ThreatDocument | undefined
    if (id !== undefined) {
      refuseAgent(context, 'A mitigation')
      document = mitigate({ id, ...(note !== undefined && { note }), ...(by && { by }) }, config, context.env)
      more.mitigated = id
    } else if (imported !== undefined) {
      refuseAgent(context, 'An import of mitigations')
      const { document: merged, ...counts } = await takeImport(imported, config, context, by)
      document = merged
      more.imported = counts
    } else if (pending) document = readThreats(config, context.env)
    else {
      const { dry_run, record, replay } = input
      const opened = openModel(config, context, { dry_run, record, replay })
      const readFile = (path: string) => {
        const text = readText(config.root, path)
        return typeof text === 'string' ? text : undefined
      }
      document = await assessThreats(
        config,
        context,
        opened.session && askForThreats(opened.session, config.llm.exclude, readFile),
        dry_run,
      )
      if (!opened.session) {
        const { reason, unavailable } = opened
        document = { ...document, llm: { ...document.llm, reason, ...(unavailable && { unavailable: true as const }) } }
      }
      if (dry_run) more.planned = opened.session?.planned ?? []
    }
    if (document === undefined) return { ...NOTHING, llm: { ...NOTHING.llm } }
    const chosen = await choose(document.threats, input, config, context)
    const { generated_at, model, run_id, unread, llm, threats } = document
    const left = threats.filter(({ status }) => status === 'pending').length
    const { finding_counts, findings = [] } = document
    const base = {
      ...{ by_stride: summarizeStride(threats, finding_counts), findings },
      ...{ generated_at, model, threats: chosen, run_id, unread, llm, ...more },
      counts: { total: threats.length, pending: left, mitigated: threats.length - left },
    }
    if (format === undefined) return base
    const content = exportThreats({ ...document, threats: chosen }, format)
    if (target === undefined) return { ...base, content }
    writeOutput(target, content)
    return { ...base, written: relative(context.cwd, target) || target }
  },

  text(
    { model, threats, counts, findings, run_id, unread, llm, mitigated, imported, content, written, planned },
    view,
  ) {
    if (planned !== undefined) return formatPlanned(planned, llm)
    if (content !== undefined) return content.trimEnd()
    if (mitigated !== undefined) return `Mitigated ${mitigated}. ${formatCount(counts.pending, 'threat')} pending.`
    if (model === null) return 'No threat model was made yet. Run `svc threat-model`.'
    const rows: string[] = []
    if (imported)
      rows.push(
        `Imported from ${imported.format}: ${imported.updated} mitigations, ${formatCount(imported.added, 'new threat')}, ${imported.skipped} skipped.`,
      )
    rows.push(
      `Data-flow model: ${formatCount(model.elements.length, 'element')}, ${formatCount(model.flows.length, 'flow')}.`,
      ...formatModel(model),
      '',
      `${formatCount(counts.total, 'threat')}: ${counts.pending} pending, ${counts.mitigated} mitigated${threats.length < counts.total ? `; ${threats.length} shown` : ''}.`,
      ...formatThreats(threats, view),
    )
    if (run_id === null) rows.push('Findings: not evaluated. Run `svc scan` first to tie them to threats.')
    else if (findings.length > 0) rows.push(formatBearing(findings))
    for (const { path, reason } of unread.slice(0, 10))
      rows.push(`Not read: ${escapeInvisibleLine(path)} (${escapeInvisibleLine(reason)}).`)
    if (unread.length > 10) rows.push(`Not read: ${unread.length - 10} more.`)
    rows.push(formatLlm(llm))
    if (written !== undefined) rows.push(`Wrote ${written}.`)
    return rows.join('\n')
  },
  exit: ({ llm }) => (llm.unavailable ? 69 : 0),
})

const NOTHING = {
  ...{ generated_at: null, model: null, threats: [], run_id: null, unread: [], by_stride: [], findings: [] },
  counts: { total: 0, pending: 0, mitigated: 0 },
  llm: { state: 'not_evaluated' as const, reason: 'no threat model was made', dropped: 0 },
}

function refuseContradictions(input: {
  mitigate?: string
  note?: string
  import?: string
  output?: string
  format?: string
  file?: string
  git_range?: string
  pending: boolean
}): void {
  const refuse = (message: string) => {
    throw new EngineError('INPUT_INVALID', message)
  }
  if (input.note !== undefined && input.mitigate === undefined)
    refuse('note needs mitigate: name the threat that it is about.')
  if (input.output !== undefined && input.format === undefined)
    refuse('output needs format: name a format of the model.')
  if (input.mitigate !== undefined && input.import !== undefined) refuse('mitigate and import exclude each other.')
  if (input.file !== undefined && input.git_range !== undefined) refuse('file and git_range exclude each other.')
}

/** The threats that were asked for. */
async function choose(
  threats: readonly Threat[],
  { stride, pending, file, git_range }: { stride?: string; pending: boolean; file?: string; git_range?: string },
  config: Config,
  { cwd, env, signal }: Pick<Context, 'cwd' | 'env' | 'signal'>,
): Promise<Threat[]> {
  let paths: Set<string> | undefined
  if (file !== undefined) {
    const absolute = resolve(cwd, file)
    if (!isInside(config.root, absolute)) throw new EngineError('PATH_ESCAPES', `${file} is outside the project.`)
    paths = new Set([relative(config.root, absolute).split(sep).join('/')])
  } else if (git_range !== undefined) {
    const { files } = await readChangedFiles(config.root, { git_range }, { exclude: config.scan_exclude, env, signal })
    paths = new Set(files.map(({ path }) => path))
  }
  return threats.filter(
    threat =>
      (stride === undefined || threat.stride === stride) &&
      (!pending || threat.status === 'pending') &&
      (paths === undefined || threat.places.some(place => paths.has(place.file))),
  )
}

async function takeImport(named: string, config: Config, context: Context, by: string | undefined) {
  const path = resolve(context.cwd, named)
  if (context.surface !== 'cli' && !isInside(config.root, path))
    throw new EngineError('PATH_ESCAPES', `The path ${named} is outside the project.`)
  const content = readRegular(path, MOST_IMPORTED)
  if (!(content instanceof Uint8Array))
    throw new EngineError('NOT_FOUND', `${named} cannot be read: ${content.detail ?? content.reason}.`)
  const document = readThreats(config, context.env) ?? (await assessThreats(config, context))
  const text = new TextDecoder().decode(content)
  const merged = importThreats(text, named, document, formatNow(context.env), by)
  const imported = { ...merged, document: sealMitigations(merged.document, config.root, context.env) }
  writeDocument(config.root, locateOutput(config.root, context.env, config.output_dir), THREATS_FILE, imported.document)
  return imported
}
