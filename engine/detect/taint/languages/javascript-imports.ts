import type { SgNode } from '@ast-grep/napi'
import { Syntax } from './syntax.ts'

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
export function nameModule(specifier: string): string {
  const name = specifier.replace(/^node:/, '').replace(/^lodash(?:-es)?[./](\w+)$/, 'lodash.$1')
  return SAME_AS[name] ?? name
}

/** The full name of a member of a module. */
export function nameMember(module: string, member: string): string {
  if (member === 'default') return module
  const name = `${module}.${member}`
  return SAME_AS[name] ?? name
}

/** Local names of everything that the file imports or requires, wherever in it, by full name. */
export function mapImports(root: SgNode): Map<string, string> {
  const out = new Map<string, string>()
  for (const found of root.findAll({ rule: { kind: 'import_statement' } } as never))
    readImport(new Syntax(found as SgNode), out)
  const required = root.findAll({
    rule: {
      kind: 'call_expression',
      has: { field: 'function', regex: '^(?:require|import|promisify|util\\.promisify)$' },
    },
  } as never)
  for (const found of required as SgNode[]) {
    const call = new Syntax(found)
    const path = findRequired(call.at('function'), call.at('arguments'))
    if (path !== undefined) out.set(REQUIRED + path, path)
    // The declarator may be around a member of it, an `await`, or another call.
    let node = call.parent
    for (let depth = 0; node && depth < 4 && node.kind !== 'variable_declarator'; depth++)
      node = /^(?:member_expression|await_expression|arguments|call_expression|parenthesized_expression)$/.test(
        node.kind,
      )
        ? node.parent
        : undefined
    if (node) readDeclarator(node, out)
  }
  return out
}

/** Whether the value of a declarator only gives a module, or a part of one, a name. */
export function isRequire(value: Syntax, imports: ReadonlyMap<string, string>): boolean {
  return pathOf(value, imports) !== undefined
}

function readImport(node: Syntax, out: Map<string, string>): void {
  const source = node.field('source')
  const clause = node.parts.find(({ kind }) => kind === 'import_clause')
  if (!source || !clause) return
  const module = nameModule(source.text.slice(1, -1))
  for (const part of clause.parts) {
    if (part.kind === 'identifier') out.set(part.text, module)
    else if (part.kind === 'namespace_import') {
      const [name] = part.parts
      if (name) out.set(name.text, module)
    } else if (part.kind === 'named_imports')
      for (const specifier of part.parts) {
        const [name, alias] = specifier.parts
        if (name) out.set((alias ?? name).text, nameMember(module, name.text))
      }
  }
}

function readDeclarator(node: Syntax, out: Map<string, string>): void {
  const name = node.field('name')
  const value = node.field('value')
  const path = value && pathOf(value, out)
  if (!name || path === undefined) return
  if (name.kind === 'identifier') out.set(name.text, path)
  if (name.kind !== 'object_pattern') return
  for (const part of name.parts) {
    if (part.kind === 'shorthand_property_identifier_pattern') out.set(part.text, nameMember(path, part.text))
    else if (part.kind === 'pair_pattern') {
      const inner = part.at('value')
      if (inner.kind === 'identifier') out.set(inner.text, nameMember(path, part.at('key').text))
    }
  }
}

/** The full name that `require('x')`, `require('x').y`, `promisify(x.y)` and `await import('x')` stand for. */
function pathOf(node: Syntax, known: ReadonlyMap<string, string>): string | undefined {
  if (node.kind === 'await_expression' || node.kind === 'parenthesized_expression') {
    const [inner] = node.parts
    return inner && pathOf(inner, known)
  }
  if (node.kind === 'member_expression') {
    const owner = pathOf(node.at('object'), known)
    return owner === undefined ? undefined : nameMember(owner, node.at('property').text)
  }
  if (node.kind !== 'call_expression') return undefined
  const callee = node.at('function')
  const args = node.at('arguments')
  const required = findRequired(callee, args)
  if (required !== undefined) return required
  if (!/^(?:util\.)?promisify$/.test(callee.text)) return undefined
  const [given] = args.parts
  if (!given) return undefined
  const [first, ...rest] = given.text.split('.')
  const module = known.get(first!)
  return module === undefined ? pathOf(given, known) : rest.reduce(nameMember, module)
}

/** The module that a call of `require` or `import` with a fixed name gives. */
export function findRequired(callee: Syntax, args: Syntax): string | undefined {
  if (callee.kind !== 'identifier' && callee.kind !== 'import') return undefined
  if (!/^(?:require|import)$/.test(callee.text)) return undefined
  const [name] = args.parts
  return name?.kind === 'string' ? nameModule(name.text.slice(1, -1)) : undefined
}
