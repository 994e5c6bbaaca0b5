import type { SgNode } from '@ast-grep/napi'

/** What code would have to compute: it is never run. */
export const COMPUTED: unique symbol = Symbol('computed')

/** How deep values may be nested. */
const DEEPEST = 40

/**
 * The value that a script exports (`module.exports = …`, `export default …`), as far as it is written down: objects, arrays, texts, numbers, texts
 * joined by `+`, and constants of the same file. Everything else is COMPUTED where it stands; undefined where the script exports nothing.
 */
export function readExport(root: SgNode): unknown {
  const exported = findExport(root)
  return exported && readValue(exported, readConstants(root), 0)
}

function findExport(root: SgNode): SgNode | null | undefined {
  for (const statement of root.children()) {
    if (statement.kind() === 'export_statement') {
      const value = statement.field('value')
      if (value) return value
    }
    if (statement.kind() !== 'expression_statement') continue
    const assignment = statement.child(0)
    if (assignment?.kind() === 'assignment_expression' && assignment.field('left')?.text() === 'module.exports')
      return assignment.field('right')
  }
  return undefined
}

function readConstants(root: SgNode): Map<string, SgNode> {
  const constants = new Map<string, SgNode>()
  for (const statement of root.children())
    if (statement.kind() === 'lexical_declaration' && statement.text().startsWith('const'))
      for (const declared of statement.children()) {
        const value = declared.kind() === 'variable_declarator' && declared.field('value')
        if (value) constants.set(declared.field('name')!.text(), value)
      }
  return constants
}

function readValue(node: SgNode, constants: ReadonlyMap<string, SgNode>, depth: number): unknown {
  if (depth > DEEPEST) return COMPUTED
  const read = (inner: SgNode | null | undefined) => (inner ? readValue(inner, constants, depth + 1) : COMPUTED)
  switch (node.kind()) {
    case 'object':
      return readObject(node, read)
    case 'array':
      return node
        .children()
        .filter(item => item.isNamed() && item.kind() !== 'comment')
        .map(read)
    case 'string':
      return unescapeText(node.text().slice(1, -1))
    case 'template_string':
      return node.children().some(part => part.kind() === 'template_substitution')
        ? COMPUTED
        : unescapeText(node.text().slice(1, -1))
    case 'number':
      return Number(node.text())
    case 'true':
    case 'false':
      return node.kind() === 'true'
    case 'null':
      return null
    case 'undefined':
      return undefined
    case 'parenthesized_expression':
      return read(node.children().find(inner => inner.isNamed() && inner.kind() !== 'comment'))
    case 'binary_expression': {
      const [left, right] = [read(node.field('left')), read(node.field('right'))]
      const isText = typeof left === 'string' && typeof right === 'string' && node.field('operator')?.text() === '+'
      return isText ? left + right : COMPUTED
    }
    case 'identifier':
      return read(constants.get(node.text()))
    default:
      return COMPUTED
  }
}

/** An object with a part that cannot be named (`...other`, `[key]: …`) may have any key, so it is COMPUTED as a whole. */
function readObject(node: SgNode, read: (inner: SgNode | null) => unknown): unknown {
  const entries: [string, unknown][] = []
  for (const part of node.children()) {
    if (!part.isNamed() || part.kind() === 'comment') continue
    const key = part.kind() === 'pair' ? part.field('key') : null
    if (key === null || !/^(?:property_identifier|string|number)$/.test(String(key.kind()))) return COMPUTED
    const name = key.kind() === 'string' ? unescapeText(key.text().slice(1, -1)) : key.text()
    entries.push([name, read(part.field('value'))])
  }
  return Object.fromEntries(entries)
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0', '\n': '' }

/** The text of a literal, its escapes resolved (ECMA-262, 12.9.4). */
function unescapeText(text: string): string {
  return text.replace(
    /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|(\r\n|[\s\S]))/gi,
    (whole, point, unit, byte, other) => {
      const code = point ?? unit ?? byte
      if (code === undefined) return other === '\r\n' ? '' : (ESCAPES[other] ?? other)
      const value = Number.parseInt(code, 16)
      return value <= 0x10ffff ? String.fromCodePoint(value) : whole
    },
  )
}
