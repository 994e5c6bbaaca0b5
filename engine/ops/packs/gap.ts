import { type } from 'arktype'
import type { Assessment } from '../../assure/controls/assessment.ts'
import { loadAssessment } from '../../assure/controls/load.ts'
import { type GapReport, renderGapHtml, type StatedGap, stateGaps } from '../../assure/documents/gap.ts'
import { STATE_WORDS } from '../../assure/reports/coverage-text.ts'
import type { Context } from '../../base/context.ts'
import { resolveOutputFile, writeOutput } from '../../base/disk/output-file.ts'
import { EngineError } from '../../base/errors.ts'
import { CONTROL_STATES } from '../../base/records/framework.ts'
import type { Style } from '../../base/text/view.ts'
import { cut } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { findGaps, GAP_KINDS, type GapKind } from '../../sources/packs/gap.ts'
import { loadPacks } from '../../sources/packs/load.ts'
import { findNamedPack } from '../../sources/packs/named.ts'
import type { Pack } from '../../sources/packs/pack.ts'
import { findPack } from '../../sources/packs/state.ts'

const STYLE: Record<GapKind, Style> = {
  new: 'red',
  strengthened: 'yellow',
  relaxed: 'green',
  removed: 'green',
  reworded: 'dim',
}

/** The most characters of a line on the terminal; -v shows all. */
const REASONS = 240

/** What a pack asks now beyond an older version of it: what is to be done, and what no longer is. */
export default defineOperation({
  id: 'packs.gap',
  summary: 'Show the gap between two versions of a pack: new, strengthened, relaxed and removed requirements.',
  effect: 'read',
  cli: 'gap-analysis <pack_id> <old_yaml>',
  rest: null,
  mcp: null,
  short: { output: 'o' },
  input: type({
    pack_id: type('string > 0').describe('a pack id'),
    old_yaml: type('string > 0').describe(
      'the older version: a pack file, a directory, - for standard input, or a pack id',
    ),
    'output?': type('string > 0').describe(
      'an output file for the analysis, or - for standard output (default: standard output)',
    ),
    '+': 'reject',
  }),
  output: type({
    pack_id: 'string',
    version: 'string',
    old_version: 'string',
    counts: type({
      new: 'number.integer',
      strengthened: 'number.integer',
      relaxed: 'number.integer',
      removed: 'number.integer',
      reworded: 'number.integer',
    }),
    gaps: type({
      gap: type.enumerated(...GAP_KINDS).configure({ description: `one of ${GAP_KINDS.join(', ')}` }, 'self'),
      kind: type("'rule' | 'control' | 'obligation'").configure({ description: 'rule, control or obligation' }, 'self'),
      id: 'string',
      title: 'string',
      reasons: 'string[]',
      'state?': type
        .enumerated(...CONTROL_STATES)
        .configure({ description: 'the state of the control in the latest run' }, 'self'),
    }).array(),
    'run_id?': type('string').describe('the run that the states are from'),
    path: type('string').describe('the file that was written, or -'),
  }),
  examples: [
    ['svc gap-analysis acme acme-1.yaml', 'list controls that the new version adds'],
    ['svc gap-analysis acme acme-1.yaml --json -o out/gap.json', 'write the analysis as JSON'],
    ['svc gap-analysis acme acme-1.yaml -o out/gap.html', 'write it as HTML, with the states of the latest run'],
  ],

  async run({ pack_id, old_yaml, output }, context) {
    const { root } = await loadConfig(context.cwd, { env: context.env })
    const packs = await loadPacks(root)
    const pack = findPack(packs, pack_id)
    const before = await findNamedPack(old_yaml, packs, context)
    const latest = await assessLatest(pack, context)
    const gaps = stateGaps(findGaps(before, pack), pack, latest?.frameworks[0])
    const counts = { new: 0, strengthened: 0, relaxed: 0, removed: 0, reworded: 0 }
    for (const { gap } of gaps) counts[gap]++
    const answer = {
      ...{ pack_id, version: pack.version, old_version: before.version, counts, gaps },
      ...(latest && { run_id: latest.run.id }),
    }
    if (output === undefined || output === '-' || context.surface !== 'cli') return { ...answer, path: '-' }
    const path = resolveOutputFile(context.cwd, output)
    writeOutput(path, render(path, answer))
    return { ...answer, path: output }
  },

  text({ gaps, path, ...answer }, { paint, verbose }) {
    const summary = GAP_KINDS.map(gap => `${answer.counts[gap]} ${gap}`).join(', ')
    if (path !== '-') return `Wrote ${path}: ${summary}.`
    const title = `${answer.pack_id} ${answer.old_version} → ${answer.version}: ${summary}.`
    return [
      title,
      ...gaps.map(
        gap => `${paint(STYLE[gap.gap], gap.gap.padEnd(12))}  ${verbose ? line(gap) : cut(line(gap), REASONS)}`,
      ),
    ].join('\n')
  },
})

/** The latest run's states of the pack's controls; undefined where the pack is no framework, or the whole repository was not scanned. */
async function assessLatest(
  { framework }: Pack,
  context: Pick<Context, 'cwd' | 'env' | 'notice' | 'signal'>,
): Promise<Assessment | undefined> {
  if (!framework) return undefined
  try {
    return await loadAssessment(context, { frameworks: [framework.id] })
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'RUN_NOT_FOUND' || error.code === 'CONFLICT')) return undefined
    throw error
  }
}

/** The analysis in the format that the file's name asks for; Markdown where it asks for none. */
function render(path: string, report: GapReport): string {
  if (/\.html?$/i.test(path)) return [...renderGapHtml(report)].join('')
  return `${path.endsWith('.json') ? JSON.stringify(report, null, 1) : markdown(report)}\n`
}

function line({ kind, id, title, reasons, state }: StatedGap): string {
  const now = state === undefined ? '' : ` [${STATE_WORDS[state]}]`
  return `${kind} ${id}  ${title}${reasons.length > 0 ? ` (${reasons.join('; ')})` : ''}${now}`
}

/** The analysis as a document for people. */
function markdown({ pack_id, old_version, version, gaps }: GapReport): string {
  const sections = GAP_KINDS.flatMap(kind => {
    const of = gaps.filter(({ gap }) => gap === kind)
    return of.length === 0
      ? []
      : ['', `## ${kind[0]!.toUpperCase()}${kind.slice(1)}`, '', ...of.map(gap => `- ${line(gap)}`)]
  })
  return [
    `# ${pack_id}: from ${old_version} to ${version}`,
    ...(sections.length > 0 ? sections : ['', 'No difference.']),
  ].join('\n')
}
