import { get, showSession, signOut } from './api.js'
import { element, say } from './dom.js'
import { findings } from './findings.js'
import { when } from './format.js'
import { gaps } from './gaps.js'
import { overview } from './overview.js'
import { rules } from './rules.js'
import { runs } from './runs.js'
import { scanButton } from './scan.js'
import { loadRuns, shownRun, state } from './state.js'

const VIEWS = { overview, findings, rules, runs, gaps }
const TITLES = { overview: 'Overview', findings: 'Findings', rules: 'Rules', runs: 'Runs', gaps: 'Gaps' }
const main = document.getElementById('main')

/** The view and its parameters: `#findings?severity=high`. */
function route() {
  const [name, query] = location.hash.slice(1).split('?', 2)
  return { name: Object.hasOwn(VIEWS, name) ? name : 'overview', query: new URLSearchParams(query) }
}

let leaving = new AbortController()
let shown

/** Draws the view that the address names; work of the view before it is given up. */
async function draw() {
  leaving.abort()
  leaving = new AbortController()
  const { signal } = leaving
  const { name, query } = route()
  const run = shownRun(query.get('run'))
  for (const link of document.querySelectorAll('#views a')) {
    const [view] = link.hash.slice(1).split('?', 1)
    // A chosen run stays chosen in every view.
    link.hash = query.get('run') ? `${view}?${new URLSearchParams({ run: query.get('run') })}` : view
    if (view === name) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  document.title = `${TITLES[name]} · ${run?.root_name ?? 'svc'}`
  document.getElementById('project').textContent = run?.root_name ?? 'svc'
  try {
    const drawn = run || name === 'rules' ? await VIEWS[name]({ run, query, signal, go, fail }) : nothingToShow(name)
    if (signal.aborted) return
    main.replaceChildren(...(run && run !== shownRun() ? [earlier(run, name)] : []), drawn)
    document.getElementById('banner').hidden = true
    if (shown !== undefined && shown !== name) {
      main.focus({ preventScroll: true })
      scrollTo(0, 0)
      say(`${TITLES[name]} shown`)
    }
    shown = name
  } catch (error) {
    if (!signal.aborted) fail(error)
  }
}

/** Goes to another view, or to this one with other parameters; parameters that are empty are left out. */
function go(name, parameters = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value))
  const hash = query.size > 0 ? `#${name}?${query}` : `#${name}`
  if (hash === location.hash) draw()
  else location.hash = hash
}

function earlier(run, name) {
  return element(
    'p',
    { className: 'earlier' },
    `The run of ${when(run.started_at)}. `,
    element('a', { href: `#${name}` }, 'Show the latest'),
  )
}

function nothingToShow(name) {
  if (state.runs.length > 0) {
    return element(
      'p',
      { className: 'earlier' },
      'That run is not among the newest. ',
      element('a', { href: `#${name}` }, 'Show the latest'),
    )
  }
  return element(
    'section',
    { className: 'empty' },
    element('h1', {}, 'Nothing has been scanned yet'),
    element(
      'p',
      {},
      'A scan reads every file of this repository, on this machine only, and stores the findings in out/.',
    ),
    element(
      'button',
      { type: 'button', className: 'primary large', onclick: () => document.getElementById('scan').click() },
      'Scan now',
    ),
  )
}

function fail(error) {
  const banner = document.getElementById('banner')
  banner.textContent = error.message
  banner.hidden = false
  main.querySelector('.loading')?.remove()
}

async function refresh() {
  await loadRuns()
  await draw()
}

addEventListener('hashchange', draw)
scanButton({
  async finished({ run_id, total }) {
    await refresh()
    say(`The scan is done: ${total} findings.`)
    if (route().query.get('run') && route().query.get('run') !== run_id) go('overview')
  },
  failed: fail,
})
get('/health').then(({ version }) => {
  document.getElementById('version').textContent = `svc ${version}`
}, fail)
document.getElementById('sign-out').addEventListener('click', () => signOut().catch(fail))
refresh()
  .then(showSession)
  .then(({ required, signed_in, read_only }) => {
    document.getElementById('sign-out').hidden = !(required && signed_in)
    if (!read_only) return
    const scan = document.getElementById('scan')
    scan.disabled = true
    scan.title = 'This server is read-only.'
  })
  .catch(fail)
