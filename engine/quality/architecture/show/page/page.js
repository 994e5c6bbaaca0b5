// The page of an import graph: directories fold and unfold, cells count imports of the row by the column. No request leaves the page.
const { paths, edges, kinds, violations } = JSON.parse(document.getElementById('graph').textContent)
/** More columns cannot be read; the table then has totals alone. */
const MOST_COLUMNS = 60
const open = new Set([''])
let selected

/** The nodes that are shown: files and folded directories, in the order of their paths. */
function listShown() {
  const shown = new Map()
  for (const [file, path] of paths.entries()) {
    const parts = path.split('/')
    let folder = ''
    let depth = 0
    while (depth < parts.length - 1 && open.has(folder)) {
      folder = depth === 0 ? parts[0] : `${folder}/${parts[depth]}`
      depth++
    }
    const isFile = open.has(folder) && depth === parts.length - 1
    const key = isFile ? path : `${folder}/`
    // A directory that is open is a row too, by which it can be folded.
    for (let at = 1; at <= depth; at++) {
      const around = parts.slice(0, at).join('/')
      if (!shown.has(`${around}/`))
        shown.set(`${around}/`, { key: `${around}/`, depth: at - 1, files: [], isOpen: open.has(around) })
    }
    if (!shown.has(key)) shown.set(key, { key, depth, files: [], isOpen: false })
    shown.get(key).files.push(file)
  }
  return [...shown.values()]
}

function count(rows) {
  const owner = new Int32Array(paths.length).fill(-1)
  for (const [index, { files }] of rows.entries()) for (const file of files) owner[file] = index
  const cells = new Map()
  const totals = rows.map(() => ({ out: 0, in: 0, bad: 0 }))
  const numbers = new Map(paths.map((path, file) => [path, file]))
  const key = (from, to) => from * rows.length + to
  for (let at = 0; at < edges.length; at += 4) {
    const [from, to] = [owner[edges[at]], owner[edges[at + 1]]]
    if (from === to || from < 0 || to < 0) continue
    const cell = cells.get(key(from, to)) ?? { count: 0, bad: 0 }
    cell.count++
    cells.set(key(from, to), cell)
    totals[from].out++
    totals[to].in++
  }
  for (const { file, target } of violations) {
    const from = owner[numbers.get(file)] ?? -1
    const to = owner[numbers.get(target)] ?? -1
    if (from >= 0) totals[from].bad++
    const cell = cells.get(key(from, to))
    if (cell) cell.bad++
  }
  return { cells, totals, key }
}

function make(tag, text, attributes = {}) {
  const element = document.createElement(tag)
  element.textContent = text
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return element
}

function render(focus) {
  const rows = listShown()
  const { cells, totals, key } = count(rows)
  const columns = rows.flatMap(({ files }, index) => (files.length > 0 ? [index] : []))
  const hasMatrix = columns.length <= MOST_COLUMNS
  const table = document.getElementById('table')
  table.replaceChildren(
    make(
      'caption',
      hasMatrix
        ? 'A cell counts the imports of the row by the number of its column.'
        : `Fold directories until at most ${MOST_COLUMNS} rows are left to see which imports which.`,
    ),
  )
  const head = table.createTHead().insertRow()
  for (const title of ['Directory or file', 'No.', 'Files', 'Imports', 'Imported', 'Violations'])
    head.append(make('th', title, { scope: 'col' }))
  if (hasMatrix)
    for (const column of columns) head.append(make('th', String(column + 1), { scope: 'col', title: rows[column].key }))
  const body = table.createTBody()
  for (const [index, row] of rows.entries()) {
    const line = body.insertRow()
    line.setAttribute('aria-selected', String(row.key === selected))
    const name = make('th', '', { scope: 'row' })
    name.style.setProperty('padding-left', `${row.depth + 0.4}em`)
    if (row.key.endsWith('/')) {
      const fold = make('button', `${row.isOpen ? '▾' : '▸'} ${row.key.split('/').at(-2)}/`, {
        'aria-expanded': String(row.isOpen),
        'data-key': `fold ${row.key}`,
      })
      fold.onclick = () => toggle(row)
      name.append(fold)
    }
    if (!row.isOpen) {
      const label = row.key.endsWith('/') ? '…' : row.key.split('/').at(-1)
      const show = make('button', label, {
        'data-key': `show ${row.key}`,
        'aria-label': `Show the imports of ${row.key}`,
      })
      show.onclick = () => choose(row)
      name.append(show)
    }
    line.append(name)
    const total = totals[index]
    const values = row.isOpen ? ['', '', '', '', ''] : [index + 1, row.files.length, total.out, total.in, total.bad]
    for (const [at, value] of values.entries())
      line.append(make('td', String(value || ''), at === 4 && total.bad > 0 ? { class: 'bad' } : {}))
    if (!hasMatrix) continue
    for (const column of columns) {
      const cell = cells.get(key(index, column))
      const attributes =
        column === index ? { class: 'own' } : cell?.bad ? { class: 'bad', title: `${cell.bad} violating` } : {}
      line.append(make('td', cell ? `${cell.count}${cell.bad ? '!' : ''}` : '', attributes))
    }
  }
  if (focus) table.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus()
}

function toggle({ key, isOpen }) {
  const folder = key.slice(0, -1)
  if (isOpen) for (const each of [...open]) if (each === folder || each.startsWith(`${folder}/`)) open.delete(each)
  if (!isOpen) open.add(folder)
  render(`fold ${key}`)
}

function choose({ key, files }) {
  selected = key
  const own = new Set(files)
  const out = []
  const into = []
  for (let at = 0; at < edges.length; at += 4) {
    const [from, to, kind, line] = edges.slice(at, at + 4)
    if (own.has(from) === own.has(to)) continue
    const text = `${paths[from]}:${line} → ${paths[to]}${kinds[kind] === 'import' ? '' : ` (${kinds[kind]})`}`
    ;(own.has(from) ? out : into).push(text)
  }
  const details = document.getElementById('details')
  const list = (title, items) => {
    const shown = make('ul', '')
    for (const item of items.slice(0, 500)) shown.append(make('li', item))
    if (items.length > 500) shown.append(make('li', `and ${items.length - 500} more`))
    return [make('h3', `${title}: ${items.length}`), shown]
  }
  details.replaceChildren(make('h2', key), ...list('Imports', out), ...list('Imported by', into))
  render(`show ${key}`)
}

// One directory around everything says nothing: begin where there are several.
for (;;) {
  const rows = listShown().filter(({ files }) => files.length > 0)
  if (rows.length !== 1 || !rows[0].key.endsWith('/')) break
  open.add(rows[0].key.slice(0, -1))
}
render()
