import { counted } from './dom.js'
import { filterOf, groupsOf, pass } from './filter.js'
import { showGroups } from './list.js'

/** Past this many, printing opens no finding: filter first. */
const PRINTED = 1000

const { rules, findings } = JSON.parse(document.getElementById('data').textContent)
const form = document.getElementById('filters')
const box = document.getElementById('list')
const count = document.getElementById('count')
let passing = findings

function update() {
  const filter = filterOf(form)
  passing = pass(findings, rules, filter)
  const groups = groupsOf(passing, filter.group)
  const shown = passing.length === findings.length ? '' : ` of ${findings.length.toLocaleString('en-US')}`
  count.textContent = `${counted(passing.length, 'finding')}${shown} in ${counted(groups.length, filter.group)}`
  showGroups(box, groups, rules, filter.group)
  for (const tile of document.querySelectorAll('[data-severity]')) {
    tile.ariaPressed = String(filter.severities.has(tile.dataset.severity))
  }
}

if (findings.length > 0) {
  form.hidden = false
  let timer
  form.addEventListener('submit', event => event.preventDefault())
  form.addEventListener('change', update)
  form.elements.search.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(update, 120)
  })
  form.addEventListener('reset', () => setTimeout(update))
  for (const tile of document.querySelectorAll('[data-severity]')) {
    tile.disabled = false
    tile.addEventListener('click', () => {
      const box = form.querySelector(`[name=severity][value=${tile.dataset.severity}]`)
      box.checked = !box.checked
      update()
    })
  }
  // Findings that are all suppressed or held are shown, not an empty list.
  if (!findings.some(finding => finding.status === 'open')) form.elements.status.value = ''
  update()
}

document.addEventListener('keydown', event => {
  const isTyping = event.target.closest?.('input, select, textarea')
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault()
    form.elements.search.focus()
  }
  if (event.key === 'Escape' && event.target === form.elements.search) {
    form.elements.search.value = ''
    update()
  }
})

const print = document.getElementById('print')
print.hidden = false
print.addEventListener('click', () => window.print())
addEventListener('beforeprint', () => passing.length <= PRINTED && box.showAll?.())
