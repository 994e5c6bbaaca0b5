import { SEVERITIES } from '../../base/records/finding.ts'
import { RATINGS } from '../../base/records/rating.ts'
import { escapeHtml } from '../../base/text/visible.ts'
import { formatCount, groupDigits } from '../../base/text/words.ts'
import { VERSION } from '../../base/version.ts'
import type { Organization, OrganizationProject, ProjectState } from '../organization/overview.ts'
import { type Html, renderPage } from './page.ts'
import { renderBar, renderCode, renderFigures, renderNotes, renderTable } from './parts.ts'
import { describeCoverage } from './wording.ts'

export const PROJECT_STATE_WORDS: Record<ProjectState, string> = {
  current: 'current',
  stale: 'stale',
  partial: 'scanned in part only',
  never_scanned: 'never scanned',
  unreadable: 'runs cannot be read',
  settings_unreadable: 'settings cannot be read',
}

/** The dashboard of many repositories as one HTML document, without a network. */
export function renderOrganizationHtml(organization: Organization): Iterable<string> {
  return renderPage('Organization: compliance of all repositories', VERSION, body(organization))
}

function* body({ date, stale_days, statistics, frameworks, projects, omitted }: Organization): Iterable<Html> {
  const { by_state, by_severity, by_rating } = statistics
  const unknown = by_state.partial + by_state.never_scanned + by_state.unreadable + by_state.settings_unreadable
  yield `<main>\n<p class="kicker">Organization, ${date}</p>\n<h1>${formatCount(statistics.projects, 'repository', 'repositories')}</h1>\n`
  yield renderFigures([
    [groupDigits(statistics.open), 'open findings'],
    [groupDigits(by_severity.critical), 'critical'],
    [groupDigits(statistics.gates_failed), 'failed gates'],
    [groupDigits(statistics.worse), 'with more findings than before'],
    [groupDigits(statistics.better), 'with fewer findings than before'],
    [groupDigits(by_state.stale), `stale: last scan more than ${formatCount(stale_days, 'day')} ago`],
    [groupDigits(unknown), 'of which nothing is known'],
  ])
  const ratings = RATINGS.flatMap(rating => (by_rating[rating] ? `${by_rating[rating]} × ${rating}` : []))
  if (ratings.length > 0) yield `<p>Ratings: ${ratings.join(', ')}. A repository is as good as its worst finding.</p>\n`
  yield renderNotes([
    ...(unknown > 0
      ? [
          `${formatCount(unknown, 'repository', 'repositories')} without a scan of the whole: ${groupDigits(by_state.never_scanned)} never scanned, ${groupDigits(by_state.partial)} in part only, ${groupDigits(by_state.unreadable)} unreadable, ${groupDigits(by_state.settings_unreadable)} with settings that cannot be read. They are in no figure.`,
        ]
      : []),
    ...omitted,
  ])
  if (frameworks.length > 0)
    yield `<h2>Frameworks</h2>\n${renderTable(
      'Controls over all repositories that evaluated the framework, as their runs recorded them.',
      [{ name: 'Framework' }, { name: 'Repositories', number: true }, { name: 'Coverage' }, { name: 'Controls' }],
      frameworks.map(framework => [
        escapeHtml(framework.name),
        groupDigits(framework.projects),
        escapeHtml(describeCoverage(framework)),
        renderBar(framework.counts),
      ]),
    )}`
  yield `<h2>Repositories</h2>\n${renderTable(
    'Worst first',
    [
      { name: 'Repository' },
      { name: 'Rating' },
      { name: 'Open', number: true },
      { name: 'Change', number: true },
      { name: 'Severities' },
      { name: 'Gate' },
      { name: 'Last scan' },
      { name: 'Frameworks' },
    ],
    projects.map(renderProject),
  )}</main>\n`
}

function renderProject(project: OrganizationProject): Html[] {
  const {
    path,
    state,
    name,
    rating,
    open,
    baseline,
    change,
    by_severity,
    gate,
    gate_run_id,
    scanned_at,
    age_days,
    not_evaluated,
    unreadable_runs,
  } = project
  const title = name && name !== path.split('/').at(-1) ? `<br><small>${escapeHtml(name)}</small>` : ''
  const state_note = state === 'current' ? '' : ` <span class="state unknown">${PROJECT_STATE_WORDS[state]}</span>`
  const lost = unreadable_runs ? `<br><small>${formatCount(unreadable_runs, 'newer run')} cannot be read</small>` : ''
  const grade = rating
    ? `<span class="grade rating-${rating[0]!.toLowerCase()}"><strong>${rating}</strong></span>`
    : 'unknown'
  const severities = SEVERITIES.flatMap(severity =>
    by_severity?.[severity] ? `${groupDigits(by_severity[severity])} ${severity}` : [],
  )
  return [
    `${renderCode(path)}${title}${state_note}${lost}`,
    grade,
    open === undefined
      ? '–'
      : `${groupDigits(open)}${baseline ? `<br><small>${groupDigits(baseline)} in the baseline</small>` : ''}`,
    change === undefined ? '–' : `${change > 0 ? '+' : ''}${change}`,
    [...severities, ...(not_evaluated ? [`${formatCount(not_evaluated, 'rule')} not evaluated`] : [])].join(', ') ||
      '–',
    `${gate === undefined ? 'not run' : gate ? 'passed' : 'failed'}${gate_run_id === undefined ? '' : `<br><small>run ${escapeHtml(gate_run_id)}</small>`}`,
    scanned_at === undefined ? '–' : `${scanned_at.slice(0, 10)} (${formatCount(age_days!, 'day')} ago)`,
    project.frameworks.map(renderFramework).join('<br>') || '–',
  ]
}

/** The figures of a framework in a few words; what is manual and what was not evaluated stands beside the percentage. */
function renderFramework({ name, coverage, counts }: OrganizationProject['frameworks'][number]): Html {
  const share = coverage === undefined ? 'not judged' : `${coverage} %`
  return `<small>${escapeHtml(name)}: ${share}, ${counts.manual} manual, ${counts.not_evaluated} not evaluated</small>`
}
