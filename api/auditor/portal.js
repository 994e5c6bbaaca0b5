// The auditors' portal. The token comes in the address, is taken out of it at once, and is kept for this tab only.
import { element, svg } from './dom.js'

const KEY = 'svc-auditor-token'
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info']
const MOST_ROWS = 500

function takeToken() {
  const address = new URL(location.href)
  const given = address.searchParams.get('token')
  if (given) {
    sessionStorage.setItem(KEY, given)
    address.searchParams.delete('token')
    history.replaceState(null, '', address)
  }
  return given ?? sessionStorage.getItem(KEY)
}

const token = takeToken()
const said = document.getElementById('said')
document.getElementById('print').addEventListener('click', () => print())
start()

async function start() {
  if (!token) return refuse('The address has no token. Open the link that you were given.')
  let answer
  try {
    answer = await fetch(`/api/auditor/portal-data?token=${encodeURIComponent(token)}`)
  } catch {
    return refuse('The server does not answer.')
  }
  const body = await answer.json()
  if (!answer.ok) return refuse(body.detail)
  show(body)
}

function refuse(sentence) {
  document.getElementById('title').textContent = 'No access'
  document.getElementById('main').replaceChildren(element('p', { role: 'alert' }, sentence))
}

function show(data) {
  const { run } = data
  document.title = `Auditor portal · ${data.project}`
  document.getElementById('title').textContent = data.project
  document.getElementById('about').textContent =
    `For ${data.auditor_name} (${data.auditor_email}), until ${time(data.expires_at)}. Run ${run.id}, finished ${time(run.finished_at)}, scope ${run.scope}${run.git_sha ? `, commit ${run.git_sha.slice(0, 12)}` : ''}.`
  const sections = [
    data.metrics && ['metrics', 'Summary', metrics(data.metrics)],
    data.frameworks && ['controls', 'Controls', data.frameworks.map(framework)],
    data.evidence && ['evidence', 'Evidence', [evidence(data.evidence), downloads()]],
    data.findings_by_rule && ['findings', 'Findings by rule', findings(data.findings_by_rule)],
    data.audit_log && ['log', 'Audit log', log(data.audit_log)],
    data.trends && ['trends', 'Trends', trends(data.trends)],
  ].filter(Boolean)
  document
    .getElementById('sections')
    .replaceChildren(...sections.map(([id, title]) => element('a', { href: `#${id}` }, title)))
  document
    .getElementById('main')
    .replaceChildren(
      ...sections.map(([id, title, content]) =>
        element(
          'section',
          { id, 'aria-labelledby': `${id}-title` },
          element('h2', { id: `${id}-title` }, title),
          content,
        ),
      ),
    )
  document.getElementById('footer').textContent =
    `Written by svc ${run.tool_version}. It reports what its rules find and what people vouch for; it does not certify a control. Code, directories, settings and credentials are not shown. Every access is in the audit log.`
}

function metrics(m) {
  const figures = [
    [m.rating ?? 'not rated', 'rating'],
    [m.gate.replace('_', ' '), 'gate'],
    [m.open, 'open findings'],
    ...SEVERITIES.map(severity => [m.by_severity[severity], severity]),
    [m.baseline, 'in the baseline'],
    [m.suppressed, 'suppressed'],
    [m.files, 'files scanned'],
    [m.skipped, 'files skipped'],
    [m.rules, 'rules'],
    [m.not_evaluated, 'rules not evaluated somewhere'],
  ]
  return [
    element('p', { className: 'note' }, 'A rule that was not evaluated, and a file that was skipped, is no pass.'),
    element(
      'ul',
      { className: 'figures' },
      figures.map(([figure, what]) => element('li', {}, element('b', {}, String(figure)), what)),
    ),
  ]
}

function framework(f) {
  const { counts } = f
  const percent =
    f.coverage === null
      ? 'no control could be judged by rules'
      : `${f.coverage} % of the controls that rules judged are met`
  const words = Object.entries(counts).map(
    ([state, count]) => `${count} ${state.replaceAll('_', ' ').replaceAll('-', ' ')}`,
  )
  return [
    element('h3', {}, f.name),
    element(
      'p',
      { className: 'note' },
      `${percent}; ${words.join(', ')}.${f.complete ? '' : ' Not complete.'} ${f.caveats.join(' ')}`,
    ),
    table(
      `Controls of ${f.name}`,
      [
        ['Control', c => c.id],
        ['Title', c => c.title],
        ['State', c => element('span', { className: c.state }, c.state.replaceAll('_', ' ')), c => c.state],
        ['Why', c => c.reason],
        ['Rules', c => c.rules],
        ['Findings', c => c.findings],
        ['Evidence', c => c.evidence],
      ],
      f.controls,
      'state',
    ),
  ]
}

function evidence(entries) {
  if (entries.length === 0) return element('p', { className: 'note' }, 'Nobody has attached evidence to a control.')
  return table(
    'Evidence that people vouch for',
    [
      ['Control', e => e.control],
      ['Title', e => e.title],
      ['Owner', e => e.owner],
      ['Observed', e => e.observed_at],
      ['Expires', e => e.expires ?? 'never'],
      ['State', e => e.state.replaceAll('_', ' ')],
      ['Why', e => e.reason],
      ['File', e => e.file ?? ''],
      ['SHA-256', e => (e.sha256 ? element('code', {}, e.sha256.slice(0, 16)) : '')],
    ],
    entries,
    'state',
  )
}

function downloads() {
  const link = (type, text) =>
    element(
      'a',
      { href: `/api/auditor/download?type=${type}&token=${encodeURIComponent(token)}`, rel: 'noreferrer' },
      text,
    )
  return element(
    'p',
    { className: 'note' },
    'Reports that print: ',
    link('compliance', 'compliance'),
    ', ',
    link('evidence', 'evidence'),
    ', ',
    link('trust-center', 'trust center'),
    '.',
  )
}

function findings(rules) {
  if (rules.length === 0) return element('p', { className: 'note' }, 'The run has no finding.')
  return table(
    'Findings by rule',
    [
      ['Rule', r => element('code', {}, r.rule_id), r => r.rule_id],
      ['Title', r => r.title],
      ['Severity', r => element('span', { className: r.severity }, r.severity), r => r.severity],
      ['Open', r => r.open],
      ['In the baseline', r => r.baseline],
      ['Suppressed', r => r.suppressed],
    ],
    rules,
    'severity',
  )
}

function log({ total, entries }) {
  return [
    element('p', { className: 'note' }, `The newest ${entries.length} of ${total} entries. Details are not shown.`),
    table(
      'Audit log',
      [
        ['Entry', e => e.seq],
        ['Time (UTC)', e => time(e.at)],
        ['Who', e => e.agent],
        ['Action', e => e.action],
        ['Target', e => e.target],
        [
          'Decision',
          e => element('span', { className: e.decision }, e.tampered ? `${e.decision}, entry was changed` : e.decision),
          e => e.decision,
        ],
      ],
      entries,
      'decision',
    ),
  ]
}

function trends(points) {
  if (points.length === 0) return element('p', { className: 'note' }, 'There is no earlier run.')
  const most = Math.max(1, ...points.map(({ open }) => open))
  const width = 1000 / points.length
  const bars = points.map(({ open }, at) =>
    svg('rect', {
      x: at * width + width * 0.1,
      y: 100 - (open / most) * 100,
      width: width * 0.8,
      height: (open / most) * 100,
    }),
  )
  return [
    svg(
      'svg',
      {
        class: 'chart',
        viewBox: '0 0 1000 100',
        preserveAspectRatio: 'none',
        role: 'img',
        'aria-label': `Open findings of ${points.length} runs, from ${points[0].open} to ${points.at(-1).open}`,
      },
      bars,
    ),
    table(
      'Open findings by run',
      [
        ['Run started (UTC)', p => time(p.started_at)],
        ['Scope', p => p.scope],
        ['Rating', p => p.rating ?? 'not rated'],
        ['Open', p => p.open],
        ...SEVERITIES.map(severity => [severity, p => p[severity]]),
        ['Introduced', p => p.introduced ?? ''],
        ['Resolved', p => p.resolved ?? ''],
      ],
      [...points].reverse(),
    ),
  ]
}

/** A table with a text filter and, where a field is named, a choice of its values. Numbers stand to the right. */
function table(caption, columns, rows, choice) {
  const body = element('tbody')
  const count = element('span')
  const search = element('input', { type: 'search', placeholder: 'Filter', 'aria-label': `Filter: ${caption}` })
  const values = choice ? [...new Set(rows.map(row => String(row[choice])))] : []
  const select = element(
    'select',
    { 'aria-label': `${choice ?? 'all'}: ${caption}` },
    element('option', { value: '' }, 'all'),
    values.map(value => element('option', { value }, value.replaceAll('_', ' '))),
  )
  const text = row =>
    columns
      .map(([, cell, plain]) => String((plain ?? cell)(row)))
      .join(' ')
      .toLowerCase()
  const texts = rows.map(text)
  const fill = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    const found = rows.filter(
      (row, at) =>
        words.every(word => texts[at].includes(word)) && (select.value === '' || String(row[choice]) === select.value),
    )
    const shown = found.slice(0, MOST_ROWS)
    body.replaceChildren(
      ...shown.map(row =>
        element(
          'tr',
          {},
          columns.map(([, cell], at) => {
            const content = cell(row)
            const isNumber = typeof content === 'number'
            return element(
              at === 0 ? 'th' : 'td',
              { className: isNumber ? 'number' : '', ...(at === 0 && { scope: 'row' }) },
              isNumber ? String(content) : content,
            )
          }),
        ),
      ),
    )
    count.textContent = `${shown.length} of ${rows.length}`
    said.textContent = `${caption}: ${shown.length} of ${rows.length}`
  }
  search.addEventListener('input', fill)
  select.addEventListener('change', fill)
  fill()
  return [
    element('div', { className: 'filter' }, search, values.length > 1 && select, count),
    element(
      'div',
      { className: 'scroll', role: 'region', tabIndex: 0, 'aria-label': `Table: ${caption}` },
      element(
        'table',
        {},
        element('caption', {}, caption),
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            columns.map(([name]) => element('th', { scope: 'col' }, name)),
          ),
        ),
        body,
      ),
    ),
  ]
}

function time(iso) {
  return iso.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC')
}
