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
