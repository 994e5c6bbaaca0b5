import { get } from './api.js'
import { element, say } from './dom.js'
import { card } from './finding.js'
import { count, counted, SEVERITIES } from './format.js'

const PAGE = 100
/** Milliseconds without a key press before the search is sent. */
const PAUSE = 300

/** The findings of a run, filtered by the server; the filter is the address, so that it can be kept and sent on. */
export async function findings({ run, query, signal, go, fail }) {
  const filter = {
    run: query.get('run') ?? '',
    severity: query.get('severity') ?? '',
    status: query.get('status') ?? 'open',
    rule: query.get('rule') ?? '',
    file: query.get('file') ?? '',
    search: query.get('search') ?? '',
    sort: query.get('sort') ?? 'severity',
  }
  const list = element('div', { className: 'cards panel' })
  const total = element('p', { className: 'soft total', role: 'status' })
  const more = element('button', { type: 'button', className: 'quiet more', hidden: true }, 'Show more')
  let cursor

  async function load() {
    const wanted = {
      run_id: run.id,
      severity: filter.severity.split(',').filter(Boolean),
      status: filter.status === 'all' ? '' : filter.status,
      rule: filter.rule,
      file: filter.file,
      search: filter.search,
      sort: filter.sort,
      limit: PAGE,
      cursor,
    }
    const page = await get('/api/findings', wanted, signal)
    cursor = page.next_cursor
    list.append(...page.findings.map(card))
    list.hidden = list.childElementCount === 0
    total.textContent =
      page.total === 0
        ? 'No finding matches.'
        : `${counted(page.total, 'finding')}${cursor ? `, ${count(list.childElementCount)} shown` : ''}`
    more.hidden = cursor === undefined
    return page
  }

  more.addEventListener('click', async () => {
    more.disabled = true
    const first = list.childElementCount
    await load().catch(fail)
    more.disabled = false
    list.children[first]?.querySelector('summary').focus()
    say(total.textContent)
  })
  await load()
  const change = changes =>
    go('findings', {
      ...filter,
      status: filter.status === 'open' ? '' : filter.status,
      sort: filter.sort === 'severity' ? '' : filter.sort,
      ...changes,
    })
  return element(
    'div',
    {},
    element('h1', { className: 'visually-hidden' }, 'Findings'),
    bar(run, filter, change),
    total,
    list,
    more,
  )
}

function bar(run, filter, change) {
  const chosen = new Set(filter.severity.split(',').filter(Boolean))
  const toggle = severity => {
    if (!chosen.delete(severity)) chosen.add(severity)
    change({ severity: SEVERITIES.filter(each => chosen.has(each)).join(',') })
  }
  return element(
    'form',
    { className: 'filters', role: 'search', 'aria-label': 'Findings', onsubmit: event => event.preventDefault() },
    searchField(filter.search, search => change({ search })),
    element(
      'div',
      { className: 'chips', role: 'group', 'aria-label': 'Severity' },
      SEVERITIES.map(severity =>
        element(
          'button',
          {
            type: 'button',
            className: `chip ${severity}`,
            'aria-pressed': String(chosen.has(severity)),
            onclick: () => toggle(severity),
          },
          `${severity} `,
          filter.status === 'open' && element('b', {}, count(run.counts.by_severity[severity])),
        ),
      ),
    ),
    select(
      'Status',
      filter.status,
      [
        ['open', 'Open'],
        ['suppressed', 'Suppressed'],
        ['baseline', 'In the baseline'],
        ['all', 'All'],
      ],
      status => change({ status: status === 'open' ? '' : status }),
    ),
    select(
      'Order',
      filter.sort,
      [
        ['severity', 'Worst first'],
        ['place', 'By file'],
      ],
      sort => change({ sort: sort === 'severity' ? '' : sort }),
    ),
    [
      ['rule', filter.rule],
      ['file', filter.file],
      ['run', filter.run],
    ].map(
      ([name, value]) =>
        value &&
        element(
          'button',
          {
            type: 'button',
            className: 'chip on',
            'aria-label': `Remove the filter ${name} ${value}`,
            onclick: () => change({ [name]: '' }),
          },
          `${name}: `,
          element('code', {}, value),
          ' ×',
        ),
    ),
  )
}

/** Searches as one types; the field that is drawn anew keeps the cursor. */
function searchField(value, search) {
  let timer
  const field = element('input', {
    type: 'search',
    id: 'search',
    value,
    placeholder: 'Search title, rule, file, code',
    'aria-label': 'Search findings',
    oninput: () => {
      clearTimeout(timer)
      timer = setTimeout(() => search(field.value.trim()), PAUSE)
    },
  })
  if (document.activeElement?.id === 'search') {
    queueMicrotask(() =>
      requestAnimationFrame(() => {
        field.focus()
        field.setSelectionRange(field.value.length, field.value.length)
      }),
    )
  }
  return field
}

function select(label, value, options, change) {
  return element(
    'label',
    {},
    element('span', { className: 'visually-hidden' }, label),
    element(
      'select',
      { onchange: event => change(event.target.value) },
      options.map(([name, text]) => element('option', { value: name, selected: name === value }, text)),
    ),
  )
}
