import { element } from './dom.js'
import { prose } from './prose.js'

/** A finding as a disclosure: what and where on its line; why, the code and how to mend it inside. */
export function card(finding) {
  const body = element('div', { className: 'body' })
  const made = element(
    'details',
    { className: 'card' },
    element(
      'summary',
      {},
      element('span', { className: `badge ${finding.severity}` }, finding.severity),
      element('span', { className: 'title' }, finding.title),
      finding.status !== 'open' && element('span', { className: 'tag' }, finding.status),
      finding.in_test && element('span', { className: 'tag' }, 'test'),
      element('code', { className: 'preview', 'aria-hidden': true }, finding.snippet.trim().split('\n', 1)[0]),
      element('code', { className: 'place' }, breakable(finding.file), element('b', {}, `:${finding.line}`)),
    ),
    body,
  )
  // Made on first opening: a long list stays light.
  made.addEventListener('toggle', () => body.childElementCount === 0 && body.append(...inside(finding)), { once: true })
  return made
}

function inside(finding) {
  return [
    element('p', { className: 'why' }, finding.message),
    snippet(finding),
    finding.remediation &&
      element(
        'div',
        { className: 'mend' },
        element('p', { className: 'label' }, 'How to fix it'),
        prose(finding.remediation),
      ),
    finding.fix &&
      element(
        'div',
        { className: 'mend' },
        element('p', { className: 'label' }, 'Replacement'),
        element('pre', {}, element('code', {}, finding.fix.edits.map(({ text }) => text).join('\n'))),
      ),
    finding.suppression && element('p', { className: 'soft' }, `Suppressed: ${finding.suppression.reason}`),
    element(
      'ul',
      { className: 'meta' },
      element('li', {}, element('code', {}, finding.rule_id)),
      element('li', {}, `confidence ${Math.round(finding.confidence * 100)} %`),
      finding.cwe.map(cwe =>
        element(
          'li',
          {},
          element(
            'a',
            {
              href: `https://cwe.mitre.org/data/definitions/${cwe.replace('CWE-', '')}.html`,
              rel: 'noreferrer',
              target: '_blank',
            },
            cwe,
          ),
        ),
      ),
      finding.controls.map(({ framework, control }) => element('li', {}, `${framework} ${control}`)),
      finding.base_severity !== finding.severity && element('li', {}, `was ${finding.base_severity}`),
      finding.agent && element('li', {}, `by ${finding.agent}`),
    ),
  ].filter(Boolean)
}

/** The code with its line numbers; where it is one line, what was matched is marked. */
function snippet({ snippet: code, line, end_line, column, end_column }) {
  const lines = code.replace(/\n$/, '').split('\n')
  const single = lines.length === 1 && line === end_line
  return element(
    'pre',
    { className: 'code', tabIndex: 0, 'aria-label': 'The code' },
    lines.map((text, at) =>
      element(
        'span',
        { className: 'row' },
        element('i', { 'aria-hidden': true }, String(line + at)),
        element(
          'code',
          {},
          single
            ? [
                text.slice(0, column - 1),
                element('mark', {}, text.slice(column - 1, end_column - 1)),
                text.slice(end_column - 1),
              ]
            : text,
        ),
      ),
    ),
  )
}

/** A path that may break after its slashes. */
export function breakable(path) {
  return path.split('/').flatMap((part, at) => (at === 0 ? [part] : ['/', document.createElement('wbr'), part]))
}
