import { element } from './dom.js'

/** Prose with `code`, and blocks of code: fenced, or indented by four spaces, as rules write their remediation. */
export function prose(text) {
  const box = element('div', { className: 'prose' })
  text.split(/^```.*$/m).forEach((part, index) => {
    if (index % 2 === 1) box.append(block(part))
    else
      for (const paragraph of part.split(/\n{2,}/))
        if (paragraph.trim()) box.append(isIndented(paragraph) ? block(paragraph) : inline(paragraph.trim()))
  })
  return box
}

function isIndented(paragraph) {
  return paragraph.split('\n').every(line => line === '' || line.startsWith('    '))
}

function block(text) {
  const code = isIndented(text) ? text.replace(/^ {4}/gm, '') : text
  return element('pre', {}, element('code', {}, code.replace(/^\n+|\n+$/g, '')))
}

function inline(text) {
  const parts = text.split(/`([^`\n]+)`/)
  return element('p', {}, ...parts.map((part, index) => (index % 2 === 1 ? element('code', {}, part) : part)))
}
