/** A new element; `facts` are its properties, children are nodes or text. Text is never parsed as markup. */
export function element(name, facts = {}, ...children) {
  const node = Object.assign(document.createElement(name), facts)
  node.append(...children.filter(child => child !== null && child !== undefined && child !== ''))
  return node
}

/** `1 file`, `1,200 files`. */
export function counted(count, noun) {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : `${noun}s`}`
}

/** A link where the address is one of the web, else the text as it is. */
export function reference(address) {
  if (!/^https?:\/\/[^\s]+$/.test(address)) return address
  return element('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, address)
}

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
