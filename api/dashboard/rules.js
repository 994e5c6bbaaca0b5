import { get } from './api.js'
import { element, table } from './dom.js'
import { counted, SEVERITIES } from './format.js'

/** Every rule that is on, found by any word of its row. */
export async function rules({ signal, go }) {
  const { rules: all } = await get('/rules', {}, signal)
  const total = element('p', { className: 'soft total', role: 'status' })
  const body = element('tbody')
  const search = element('input', {
    type: 'search',
    placeholder: 'Search rules',
    'aria-label': 'Search rules',
    oninput: show,
  })
  const rows = [...all].sort(worstFirst).map(rule => ({ text: textOf(rule), row: rowOf(rule, go) }))

  function show() {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    const matching = rows.filter(({ text }) => wanted.every(word => text.includes(word)))
    body.replaceChildren(...matching.map(({ row }) => row))
    total.textContent = counted(matching.length, 'rule')
  }

  show()
  return element(
    'div',
    {},
    element('h1', { className: 'visually-hidden' }, 'Rules'),
    element('div', { className: 'filters' }, search),
    total,
    table(['Severity', 'Rule', 'Languages', 'Pack', 'Bears on', 'Fix'], body),
  )
}

function worstFirst(a, b) {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || a.id.localeCompare(b.id)
}

function textOf(rule) {
  return [
    rule.id,
    rule.title,
    rule.pack_id,
    rule.severity,
    rule.type,
    ...rule.languages,
    ...rule.cwe,
    ...rule.tags,
    ...rule.controls.map(({ framework, control }) => `${framework} ${control}`),
  ]
    .join(' ')
    .toLowerCase()
}

function rowOf(rule, go) {
  return element(
    'tr',
    {},
    element('td', {}, element('span', { className: `badge ${rule.severity}` }, rule.severity)),
    element(
      'td',
      {},
      element(
        'button',
        {
          type: 'button',
          className: 'link',
          title: 'Show its findings',
          onclick: () => go('findings', { rule: rule.id }),
        },
        rule.title,
      ),
      element('code', { className: 'under' }, rule.id),
    ),
    element('td', {}, rule.languages.join(', ')),
    element('td', {}, rule.pack_id),
    element(
      'td',
      { className: 'soft' },
      [...rule.cwe, ...rule.controls.map(({ framework, control }) => `${framework} ${control}`)].join(', '),
    ),
    element('td', {}, rule.fixable ? 'certain' : ''),
  )
}
