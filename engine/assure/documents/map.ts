import { escapeHtml } from '../../base/text/visible.ts'
import { formatCount, groupDigits } from '../../base/text/words.ts'
import type { Assessment } from '../controls/assessment.ts'
import type { EvidenceMap, MapEntry } from '../controls/evidence-map.ts'
import { renderRunFacts } from './compliance-html.ts'
import { type Html, renderPage } from './page.ts'
import { renderCode, renderFigures, renderNotes, renderState, renderTable } from './parts.ts'

/** Sources of one entry, and entries of one control, that are listed; the rest is counted. */
const LISTED = 5

const KINDS: Record<MapEntry['kind'], string> = {
  rules: 'rules of the scan',
  document: 'file in the repository',
  human: 'vouched for by a person',
}

/** The evidence map as one HTML document: the matrix of evidence and frameworks, then each control with what it rests on. */
export function renderMapHtml(assessment: Assessment, map: EvidenceMap): Iterable<string> {
  const { run } = assessment
  return renderPage(`${run.root_name}: evidence map`, run.tool_version, body(assessment, map))
}

function* body(assessment: Assessment, map: EvidenceMap): Iterable<Html> {
  const { entries, controls, frameworks, unsupported } = map
  const shared = entries.filter(entry => Object.keys(entry.controls).length > 1).length
  yield `<main>\n<p class="kicker">Evidence map</p>\n<h1>${escapeHtml(assessment.run.root_name)}</h1>\n`
  yield renderFigures([
    [groupDigits(entries.length), 'pieces of evidence'],
    [groupDigits(shared), 'of them for several frameworks'],
    [groupDigits(controls.length), `controls of ${formatCount(frameworks.length, 'framework')}`],
    [groupDigits(unsupported), 'controls without evidence'],
  ])
  if (frameworks.length === 0) yield renderNotes(['No framework was on in this run.'])
  yield `<h2>Evidence by framework</h2>\n${renderTable(
    'A piece of evidence is listed once, with the controls of each framework that it supports. Rules that bear on the same controls are one piece. A file that could be evidence counts once a person attaches it with svc evidence add.',
    [{ name: 'Evidence' }, ...frameworks.map(({ name }) => ({ name }))],
    entries.map((entry, at) => [
      renderEntry(entry, at),
      ...frameworks.map(({ id }) => (entry.controls[id] ?? []).map(renderCode).join(', ') || '–'),
    ]),
  )}`
  for (const { id, name } of frameworks) {
    const own = controls.filter(({ framework }) => framework === id)
    yield `<h2>${escapeHtml(name)}</h2>\n${renderTable(
      `Controls of ${name}, and the evidence of each`,
      [{ name: 'Control' }, { name: 'State' }, { name: 'Evidence' }],
      own.map(({ id, title, state, rests_on }) => [
        `${renderCode(id)} ${escapeHtml(title)}`,
        renderState(state),
        rests_on.length === 0 ? 'none' : renderReferences(rests_on, entries),
      ]),
    )}`
  }
  yield `<h2>How this was observed</h2>\n${renderRunFacts(assessment)}</main>\n`
}

function renderEntry({ kind, title, sources, state, person }: MapEntry, at: number): Html {
  const shown = sources.slice(0, LISTED).map(renderCode).join(', ')
  const more = sources.length > LISTED ? ` and ${groupDigits(sources.length - LISTED)} more` : ''
  const count = kind === 'rules' ? `${groupDigits(sources.length)} ` : ''
  return `<span id="e${at + 1}">${at + 1}. ${escapeHtml(title)}</span><br><small>${count}${KINDS[kind]}${person === null ? '' : ` (${escapeHtml(person)})`}, ${escapeHtml(state)}: ${shown}${more}</small>`
}

function renderReferences(places: readonly number[], entries: readonly MapEntry[]): Html {
  const links = places
    .slice(0, LISTED)
    .map(at => `<li><a href="#e${at + 1}">${at + 1}. ${escapeHtml(entries[at]!.title)}</a></li>`)
  if (places.length > LISTED) links.push(`<li>and ${groupDigits(places.length - LISTED)} more</li>`)
  return `<ul class="links">${links.join('')}</ul>`
}
