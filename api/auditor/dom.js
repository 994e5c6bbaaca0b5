/** An element with properties (`aria-…`, `data-…` and `role` as attributes, `on…` as listeners) and children; empty children are left out. */
export function element(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children)
}

/** The same for SVG, where everything but listeners is an attribute. */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value)
    else made.setAttribute(name, value)
  }
  made.append(...present(children))
  return made
}

function fill(made, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value)
    else if (name in made && !name.startsWith('aria')) made[name] = value
    else made.setAttribute(name, value === true ? '' : value)
  }
  made.append(...present(children))
  return made
}

function present(children) {
  return children
    .flat(Number.POSITIVE_INFINITY)
    .filter(child => child !== undefined && child !== null && child !== false && child !== '')
}

/** A table in a panel that scrolls sideways where it has to; `rows` are its rows, or a `tbody` that has them. */
export function table(columns, rows) {
  const heads = columns.map(column => element('th', { scope: 'col' }, column))
  const body = Array.isArray(rows) ? element('tbody', {}, rows) : rows
  return element(
    'div',
    { className: 'panel scrolls' },
    element('table', {}, element('thead', {}, element('tr', {}, heads)), body),
  )
}

/** Says a sentence to who does not see the change. */
export function say(text) {
  document.getElementById('said').textContent = text
}
