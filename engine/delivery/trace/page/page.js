// The page of a traceability matrix: filters by words and state, sorts by a column. No request leaves the page.
const table = document.getElementById('matrix')
const body = table.tBodies[0]
const rows = [...body.rows]
const words = document.getElementById('words')
const state = document.getElementById('state')
const texts = new Map(rows.map(row => [row, row.textContent.toLowerCase()]))

/** Shows the rows that have every word and the state. */
function filter() {
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean)
  let shown = 0
  for (const row of rows) {
    const fits = wanted.every(word => texts.get(row).includes(word))
    row.hidden = !fits || (state.value !== '' && row.dataset.state !== state.value)
    if (!row.hidden) shown++
  }
  document.getElementById('count').textContent = `${shown} of ${rows.length}`
}

/** Sorts by a column, a second time the other way round. */
function sortBy(header, index) {
  const isUp = header.getAttribute('aria-sort') !== 'ascending'
  for (const each of table.tHead.rows[0].cells) each.removeAttribute('aria-sort')
  header.setAttribute('aria-sort', isUp ? 'ascending' : 'descending')
  const key = row => row.cells[index].dataset.rank ?? row.cells[index].textContent
  const order = new Intl.Collator('en', { numeric: true }).compare
  const sorted = rows
    .map((row, place) => ({ row, place, key: key(row) }))
    .sort((a, b) => (isUp ? order(a.key, b.key) : order(b.key, a.key)) || a.place - b.place)
  body.append(...sorted.map(({ row }) => row))
}

for (const [index, header] of [...table.tHead.rows[0].cells].entries()) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = header.textContent
  button.addEventListener('click', () => sortBy(header, index))
  header.replaceChildren(button)
}
words.addEventListener('input', filter)
state.addEventListener('change', filter)
const form = document.getElementById('filter')
form.addEventListener('submit', event => event.preventDefault())
form.hidden = false
filter()
