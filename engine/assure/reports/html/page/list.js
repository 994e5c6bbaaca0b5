import { card, help } from './card.js'
import { counted, element } from './dom.js'

const GROUPS_AT_ONCE = 20
const CARDS_AT_ONCE = 25

/** Shows groups in `box` a screenful at a time: more are made when the end comes into view, or by its button. */
export function showGroups(box, groups, rules, by) {
  box.replaceChildren()
  box.showAll = () => {}
  if (groups.length === 0) {
    box.append(element('p', { className: 'empty' }, 'No finding passes the filters.'))
    return
  }
  let shown = 0
  const more = element('button', { type: 'button', className: 'more' })
  const add = count => {
    const next = groups.slice(shown, shown + count)
    shown += next.length
    more.before(...next.map((group, index) => groupBox(group, rules, by, shown === next.length && index < 3)))
    more.textContent = `Show more (${counted(groups.length - shown, 'group')} left)`
    if (shown === groups.length) more.remove()
  }
  box.append(more)
  more.addEventListener('click', () => add(GROUPS_AT_ONCE))
  add(GROUPS_AT_ONCE)
  new IntersectionObserver(([entry]) => entry.isIntersecting && more.isConnected && add(GROUPS_AT_ONCE), {
    rootMargin: '600px',
  }).observe(more)
  box.showAll = () => {
    add(groups.length)
    for (const group of box.querySelectorAll('.group')) group.showAll()
  }
}

/** A group is open from the start where it is one of the first few. */
function groupBox(group, rules, by, isOpen) {
  const rule = rules[group.findings[0].rule]
  const title = by === 'rule' ? rule.title : group.name
  const head = element(
    'summary',
    {},
    element('span', { className: `dot ${group.findings[0].severity}`, ariaHidden: 'true' }),
    element('h3', { className: by === 'file' ? 'path' : '' }, title),
    by === 'rule' ? element('code', { className: 'rule-id' }, group.name) : null,
    tally(group.findings),
  )
  const box = element('details', { className: 'group' }, head)
  const cards = element('div', { className: 'cards' })
  const more = element('button', { type: 'button', className: 'more' })
  let shown = 0
  const add = count => {
    const next = group.findings.slice(shown, shown + count)
    shown += next.length
    cards.append(...next.map(finding => card(finding, rules, by)))
    more.textContent = `Show more (${counted(group.findings.length - shown, 'finding')} left)`
    more.hidden = shown === group.findings.length
  }
  const fill = () => {
    if (shown > 0) return
    if (by === 'rule') box.append(element('div', { className: 'why' }, element('p', {}, rule.message), help(rule)))
    box.append(cards, more)
    add(CARDS_AT_ONCE)
    if (group.findings.length === 1) cards.firstElementChild.open = true
  }
  more.addEventListener('click', () => add(CARDS_AT_ONCE))
  box.addEventListener('toggle', () => box.open && fill())
  box.showAll = () => {
    fill()
    add(group.findings.length)
    box.open = true
    for (const each of cards.children) {
      each.fill()
      each.open = true
    }
  }
  if (isOpen) {
    fill()
    box.open = true
  }
  return box
}

function tally(findings) {
  const counts = new Map()
  for (const { severity } of findings) counts.set(severity, (counts.get(severity) ?? 0) + 1)
  const parts = [...counts].map(([severity, count]) =>
    element('span', { className: `pill ${severity}`, title: severity }, String(count)),
  )
  return element(
    'span',
    { className: 'tally', ariaLabel: [...counts].map(([severity, count]) => `${count} ${severity}`).join(', ') },
    ...parts,
  )
}
