import type { ControlState } from '../../base/records/framework.ts'
import { escapeHtml } from '../../base/text/visible.ts'
import { groupDigits } from '../../base/text/words.ts'
import { VERSION } from '../../base/version.ts'
import { GAP_KINDS, type Gap, type GapKind } from '../../sources/packs/gap.ts'
import type { Pack } from '../../sources/packs/pack.ts'
import type { AssessedFramework } from '../controls/assessment.ts'
import { type Html, renderPage } from './page.ts'
import { renderCode, renderFigures, renderNotes, renderState, renderTable } from './parts.ts'

/** A gap with the state in the latest run of the control that it is about. */
export type StatedGap = Gap & { state?: ControlState }

/** What a gap analysis says. */
export interface GapReport {
  pack_id: string
  version: string
  old_version: string
  counts: Record<GapKind, number>
  gaps: readonly StatedGap[]
  /** The run that the states are from; absent where the repository was not scanned. */
  run_id?: string
}

/** The gaps with the states of their controls: that of a control itself, and for an obligation that of its control. */
export function stateGaps(gaps: readonly Gap[], pack: Pack, assessed: AssessedFramework | undefined): StatedGap[] {
  const states = new Map(assessed?.controls.map(({ id, state }) => [id, state]))
  const controlOf = new Map(pack.obligations.map(({ id, control }) => [id, control]))
  return gaps.map(gap => {
    const control = gap.kind === 'control' ? gap.id : gap.kind === 'obligation' ? controlOf.get(gap.id) : undefined
    const state = control === undefined ? undefined : states.get(control)
    return { ...gap, ...(state !== undefined && { state }) }
  })
}

const MEANING: Record<GapKind, string> = {
  new: 'New: not asked before',
  strengthened: 'Strengthened: asks for more',
  relaxed: 'Relaxed: asks for less',
  removed: 'Removed: not asked any more',
  reworded: 'Reworded: the same with other words',
}

/** The gap analysis as one HTML document: what to do first. */
export function renderGapHtml(report: GapReport): Iterable<string> {
  return renderPage(`${report.pack_id}: gap analysis`, VERSION, body(report))
}

function* body({ pack_id, version, old_version, counts, gaps, run_id }: GapReport): Iterable<Html> {
  yield `<main>\n<p class="kicker">Gap analysis</p>\n<h1>${escapeHtml(pack_id)}</h1>\n<p class="soft">From ${escapeHtml(old_version)} to ${escapeHtml(version)}</p>\n`
  yield renderFigures(GAP_KINDS.map(kind => [groupDigits(counts[kind]), kind] as const))
  yield renderNotes([
    run_id === undefined
      ? 'The repository has no run of the whole: the states of the controls are not known.'
      : `States are those of the run ${run_id} and of the evidence today. A scan with the new version gives new states.`,
  ])
  for (const kind of GAP_KINDS) {
    const own = gaps.filter(({ gap }) => gap === kind)
    if (own.length === 0) continue
    yield `<h2>${MEANING[kind]}</h2>\n${renderTable(
      `${groupDigits(own.length)} ${kind}`,
      [{ name: 'Requirement' }, { name: 'What changed' }, { name: 'State' }],
      own.map(({ kind: part, id, title, reasons, state }) => [
        `${part} ${renderCode(id)} ${escapeHtml(title)}`,
        reasons.map(escapeHtml).join('<br>') || 'as a whole',
        state === undefined ? '–' : renderState(state),
      ]),
    )}`
  }
  if (gaps.length === 0) yield '<p>No difference.</p>\n'
  yield '</main>\n'
}
