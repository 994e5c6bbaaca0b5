import { element, reference } from './dom.js'
import { prose } from './prose.js'

/** A finding as a disclosure: its line is made at once, what it opens to on first opening. */
export function card(finding, rules, group) {
  const rule = rules[finding.rule]
  const [line, column] = finding.place
  const place = element('span', { className: 'place' })
  if (group === 'file')
    place.append(element('code', {}, `line ${line}`), ' ', element('span', { className: 'rule-id' }, finding.rule))
  else place.append(element('code', {}, breakable(finding.file), element('b', {}, `:${line}:${column}`)))
  const head = element(
    'summary',
    {},
    element('span', { className: `pill ${finding.severity}` }, finding.severity),
    element('span', { className: 'what' }, group === 'file' ? (finding.title ?? rule.title) : place),
    group === 'file' ? null : preview(finding),
    ...marks(finding),
    group === 'file' ? place : null,
  )
  const box = element('details', { className: `card ${finding.severity}` }, head)
  box.fill = () => {
    if (box.childElementCount === 1) box.append(body(finding, rule, group))
  }
  box.addEventListener('toggle', () => box.open && box.fill())
  return box
}

/** The line that matched, beside its place. */
function preview(finding) {
  const text = finding.snippet.split('\n').find(line => line.trim())
  return text ? element('code', { className: 'preview' }, text.trim()) : null
}

function marks(finding) {
  const words = [
    finding.status !== 'open' && finding.status,
    finding.in_test && 'test code',
    finding.zone && `zone ${finding.zone}`,
    finding.base_severity && `was ${finding.base_severity}`,
    finding.confidence < 1 && `${Math.round(finding.confidence * 100)} % sure`,
    finding.agent && `by ${finding.agent}`,
  ]
  return words.filter(Boolean).map(word => element('span', { className: 'tag' }, word))
}

function body(finding, rule, group) {
  const parts = []
  // A group of one rule says these once, in its own head.
  if (group === 'file' || finding.message)
    parts.push(element('p', { className: 'message' }, finding.message ?? rule.message))
  if (finding.held) parts.push(element('p', { className: 'held' }, element('strong', {}, 'Suppressed: '), finding.held))
  if (finding.snippet) parts.push(code(finding))
  if (finding.flow) parts.push(labelled('How the input gets here', way(finding)))
  for (const edit of finding.fix ?? [])
    parts.push(
      labelled(
        `Fix on line ${edit.line}`,
        element('pre', { className: 'fix' }, element('code', {}, edit.text || '(remove)')),
      ),
    )
  if (group === 'file') parts.push(help(rule, finding.remediation))
  else if (finding.remediation) parts.push(labelled('How to fix it', prose(finding.remediation)))
  return element('div', { className: 'body' }, ...parts)
}

/** Why a rule is there, how to mend it, and what it bears on. */
export function help(rule, remediation = rule.remediation) {
  const parts = []
  if (remediation) parts.push(labelled('How to fix it', prose(remediation), 'remedy'))
  const cwe = rule.cwe.map(id => {
    const number = /^(?:cwe-)?0*(\d+)$/i.exec(id)?.[1]
    if (!number) return id
    const href = `https://cwe.mitre.org/data/definitions/${number}.html`
    return element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, `CWE-${number}`)
  })
  const bearings = [...cwe, ...rule.controls]
  if (bearings.length > 0) parts.push(labelled('Bears on', items(bearings)))
  if (rule.references.length > 0) parts.push(labelled('References', items(rule.references.map(reference))))
  return element('div', { className: 'help' }, ...parts)
}

/** The places that input comes by, first to last. */
function way(finding) {
  const steps = finding.flow.map(({ file, line, label }) =>
    element('li', {}, element('code', {}, file === finding.file ? `line ${line}` : `${file}:${line}`), ` ${label}`),
  )
  return element('ol', { className: 'way' }, ...steps)
}

function labelled(label, content, className = '') {
  return element('section', { className }, element('h4', {}, label), content)
}

function items(values) {
  return element('ul', { className: 'items' }, ...values.map(value => element('li', {}, value)))
}

/** The lines that the match stands in, with their numbers; what matched is marked. */
function code(finding) {
  const [line, column, endLine, endColumn] = finding.place
  const lines = finding.snippet.split('\n')
  const rows = lines.map((text, index) => {
    const number = line + index
    const from = number === line ? column - 1 : text.search(/\S|$/)
    const to = number === endLine ? Math.max(from, endColumn - 1) : text.length
    const isMarked = number <= Math.max(line, endLine) && from <= text.length
    const shown = isMarked ? [text.slice(0, from), element('mark', {}, text.slice(from, to)), text.slice(to)] : [text]
    return element(
      'span',
      { className: isMarked ? 'row hit' : 'row' },
      element('i', { ariaHidden: 'true' }, String(number)),
      element('span', {}, ...shown),
    )
  })
  return element('pre', { className: 'code', tabIndex: 0 }, element('code', {}, ...rows))
}

/** A path that may break after its slashes. */
function breakable(path) {
  const box = element('span', {})
  path.split(/(?<=\/)/).forEach((part, index) => {
    if (index > 0) box.append(document.createElement('wbr'))
    box.append(part)
  })
  return box
}
