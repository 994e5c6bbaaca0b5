import type { SgNode } from '@ast-grep/napi'
import { namedChildren } from './tree.ts'

/** Packages under whose names the functions of another are known. */
const SAME_AS: Record<string, string> = {
  'fs/promises': 'fs',
  'fs-extra': 'fs',
  'graceful-fs': 'fs',
  'fs.promises': 'fs',
  'mysql2/promise': 'mysql2',
  'promise-mysql': 'mysql',
  'lodash-es': 'lodash',
  underscore: 'lodash',
  jquery: '$',
  jQuery: '$',
  'util.promisify': 'promisify',
}

/** Begins the name of what `require` gives where it stands in an expression; no program has such a variable. */
export const REQUIRED = 'require:'

/** The full name of a module. */
export function moduleName(specifier: string): string {
  const name = specifier.replace(/^node:/, '')
  return SAME_AS[name] ?? name
}

/** The full name of a member of a module. */
export function memberName(module: string, member: string): string {
  if (member === 'default') return module
  const name = `${module}.${member}`
  return SAME_AS[name] ?? name
}

/** Local names of everything that the file imports or requires, wherever in it, by full name. */
export function importsOf(root: SgNode, of: (node: SgNode) => string): Map<string, string> {
  const out = new Map<string, string>()
  for (const found of root.findAll({ rule: { kind: 'import_statement' } } as never))
    readImport(found as SgNode, of, out)
  const required = root.findAll({
    rule: {
      kind: 'call_expression',
      has: { field: 'function', regex: '^(?:require|import|promisify|util\\.promisify)$' },
    },
  } as never)
  for (const found of required as SgNode[]) {
    const path = requiredBy(found, of)
    if (path !== undefined) out.set(REQUIRED + path, path)
    // The declarator may be around a member of it, an `await`, or another call.
    let node: SgNode | null = found.parent()
    for (let depth = 0; node && depth < 4 && (node.kind() as string) !== 'variable_declarator'; depth++)
      node = /^(?:member_expression|await_expression|arguments|call_expression|parenthesized_expression)$/.test(
        node.kind() as string,
      )
        ? node.parent()
        : null
    if (node) readDeclarator(node, of, out)
  }
  return out
}

/** Whether a declarator only gives a module, or a part of one, a name. */
export function isRequire(node: SgNode, of: (node: SgNode) => string, imports: ReadonlyMap<string, string>): boolean {
  const value = node.field('value') as SgNode | null
  return value !== null && pathOf(value, of, imports) !== undefined
}

function readImport(node: SgNode, of: (node: SgNode) => string, out: Map<string, string>): void {
  const source = node.field('source') as SgNode | null
  const clause = namedChildren(node).find(child => (child.kind() as string) === 'import_clause')
  if (!source || !clause) return
  const module = moduleName(of(source).slice(1, -1))
  for (const part of namedChildren(clause)) {
    const kind = part.kind() as string
    if (kind === 'identifier') out.set(of(part), module)
    else if (kind === 'namespace_import') {
      const [name] = namedChildren(part)
      if (name) out.set(of(name), module)
    } else if (kind === 'named_imports')
      for (const specifier of namedChildren(part)) {
        const [name, alias] = namedChildren(specifier)
        if (name) out.set(of(alias ?? name), memberName(module, of(name)))
      }
  }
}

function readDeclarator(node: SgNode, of: (node: SgNode) => string, out: Map<string, string>): void {
  const name = node.field('name') as SgNode | null
  const value = node.field('value') as SgNode | null
  const path = value && pathOf(value, of, out)
  if (!name || path === undefined || path === null) return
  const kind = name.kind() as string
  if (kind === 'identifier') out.set(of(name), path)
  if (kind !== 'object_pattern') return
  for (const part of namedChildren(name)) {
    if ((part.kind() as string) === 'shorthand_property_identifier_pattern')
      out.set(of(part), memberName(path, of(part)))
    else if ((part.kind() as string) === 'pair_pattern') {
      const key = part.field('key') as SgNode
      const inner = part.field('value') as SgNode
      if ((inner.kind() as string) === 'identifier') out.set(of(inner), memberName(path, of(key)))
    }
  }
}

/** The full name that `require('x')`, `require('x').y`, `promisify(x.y)` and `await import('x')` stand for. */
function pathOf(node: SgNode, of: (node: SgNode) => string, known: ReadonlyMap<string, string>): string | undefined {
  const kind = node.kind() as string
  if (kind === 'await_expression' || kind === 'parenthesized_expression') {
    const [inner] = namedChildren(node)
    return inner && pathOf(inner, of, known)
  }
  if (kind === 'member_expression') {
    const owner = pathOf(node.field('object') as SgNode, of, known)
    return owner === undefined ? undefined : memberName(owner, of(node.field('property') as SgNode))
  }
  if (kind !== 'call_expression') return undefined
  const required = requiredBy(node, of)
  if (required !== undefined) return required
  if (!/^(?:util\.)?promisify$/.test(of(node.field('function') as SgNode))) return undefined
  const [given] = namedChildren(node.field('arguments') as SgNode)
  if (!given) return undefined
  const [first, ...rest] = of(given).split('.')
  const module = known.get(first!)
  return module === undefined ? pathOf(given, of, known) : rest.reduce(memberName, module)
}

/** The module that a call of `require` or `import` with a fixed name gives. */
export function requiredBy(node: SgNode, of: (node: SgNode) => string): string | undefined {
  if ((node.kind() as string) !== 'call_expression') return undefined
  const callee = node.field('function') as SgNode | null
  const args = node.field('arguments') as SgNode | null
  if (!callee || !args || !/^(?:require|import)$/.test(of(callee))) return undefined
  const [name] = namedChildren(args)
  return name && (name.kind() as string) === 'string' ? moduleName(of(name).slice(1, -1)) : undefined
}
