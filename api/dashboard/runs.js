import { download } from './api.js'
import { element, table } from './dom.js'
import { ago, count, counted, duration, rated, SEVERITIES, when } from './format.js'
import { state } from './state.js'

/** Every stored run, newest first: choose one to look at it, or take its report along. */
export function runs({ run: shown, go, fail }) {
  return element(
    'div',
    {},
    element('h1', { className: 'visually-hidden' }, 'Runs'),
    element('p', { className: 'soft total' }, `${counted(state.runs.length, 'run')} shown, newest first`),
    table(
      ['When', 'Branch', 'Scanned', 'Open', 'By severity', 'Rating', 'Took', 'Report'],
      state.runs.map(run => rowOf(run, run === shown, go, fail)),
    ),
  )
}

function rowOf(run, isShown, go, fail) {
  const { by_severity, files, open } = run.counts
  return element(
    'tr',
    { 'aria-current': isShown ? 'true' : undefined },
    element(
      'td',
      {},
      element(
        'button',
        { type: 'button', className: 'link', onclick: () => go('overview', { run: run.id }) },
        when(run.started_at),
      ),
      element('span', { className: 'under' }, ago(run.started_at)),
    ),
    element(
      'td',
      {},
      run.branch ?? '',
      run.git_sha && element('code', { className: 'under' }, run.git_sha.slice(0, 8)),
    ),
    element(
      'td',
      {},
      counted(files, 'file'),
      run.scope !== 'everything' && element('span', { className: 'under' }, run.scope),
    ),
    element('td', { className: 'number' }, count(open)),
    element(
      'td',
      {},
      element(
        'span',
        { className: 'chips' },
        SEVERITIES.filter(severity => by_severity[severity] > 0).map(severity =>
          element(
            'span',
            { className: `badge ${severity}`, title: severity },
            `${count(by_severity[severity])} ${severity}`,
          ),
        ),
      ),
    ),
    element('td', {}, element('b', { className: rated(run.rating) }, run.rating ?? '–')),
    element('td', { className: 'number' }, duration(run.duration_ms)),
    element('td', {}, reportButton(run, fail)),
  )
}

/** The report as a file: opened inside this page it would share the page's rights. */
function reportButton(run, fail) {
  const button = element(
    'button',
    { type: 'button', className: 'quiet', 'aria-label': `Download the report of ${when(run.started_at)}` },
    'Report',
  )
  button.addEventListener('click', async () => {
    button.disabled = true
    try {
      const address = URL.createObjectURL(await download(`/api/audit/runs/${encodeURIComponent(run.id)}/report`))
      element('a', { href: address, download: `report-${run.id}.html` }).click()
      // The browser reads it after the click.
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    } catch (error) {
      fail(error)
    } finally {
      button.disabled = false
    }
  })
  return button
}
