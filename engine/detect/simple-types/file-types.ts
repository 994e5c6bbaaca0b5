import type { SgNode } from '@ast-grep/napi'
import type { Binders } from './binders.ts'
import { getPart, kindOf, listParts } from './nodes.ts'
import type { SimpleTypes } from './simple-types.ts'

/** The types that a file declares. */
export interface Declared {
  enumerations: ReadonlySet<string>
  /** Other names of types, and what they stand for. */
  aliases: ReadonlyMap<string, string>
  /** Of types with members: their declarations, by name. */
  types: ReadonlyMap<string, SgNode>
  /** Of functions: the type of what they return. */
  results: ReadonlyMap<string, string>
  /** What can bind names, by the id of the part of the tree that was asked. */
  scopes: Map<number, Binders>
}

const TYPE =
  /^(?:class|struct|interface|record|enum|object|protocol|trait|impl)_(?:declaration|definition|item)$|^type_spec$|^class$/
const ALIAS = /^type_alias|^type_item$|^typealias_declaration$|^type_definition$/
const FUNCTION = /^(?:function|method)_(?:declaration|definition|item)$|^(?:function|method)$/

const known = new WeakMap<SgNode, Declared>()

/** The types declared in a file, found out once. */
export function findDeclared(root: SgNode, language: SimpleTypes): Declared {
  let own = known.get(root)
  if (!own) {
    own = collect(root, language)
    known.set(root, own)
  }
  return own
}

/** Names that a file's text may declare as enumerations, more than are: only about those need its tree be asked. */
export function listEnumerationNames(text: string, { enumeration }: SimpleTypes): ReadonlySet<string> {
  const isPossible = /enum/i.test(text) || (enumeration !== undefined && new RegExp(enumeration).test(text))
  return new Set(isPossible ? Array.from(text.matchAll(DECLARED_NAME), ([, name]) => name!) : [])
}

const DECLARED_NAME = /\b(?:class|enum)\s+([^\s(){}[\]:;,<]+)/gi

function collect(root: SgNode, language: SimpleTypes): Declared {
  const enumerations = new Set<string>()
  const aliases = new Map<string, string>()
  const types = new Map<string, SgNode>()
  const results = new Map<string, string>()
  const enumeration = language.enumeration === undefined ? undefined : new RegExp(language.enumeration)
  const visit = (node: SgNode, depth: number): void => {
    if (depth > 12) return
    // Each look at a node crosses into native code, so a file's many leaves, which declare nothing, are left early.
    for (const child of node.children()) {
      if (!child.isNamed() || child.isLeaf()) continue
      const kind = kindOf(child)
      if (/comment/.test(kind)) continue
      const name = TYPE.test(kind) || ALIAS.test(kind) || FUNCTION.test(kind) ? nameOf(child) : undefined
      if (name !== undefined && ALIAS.test(kind)) {
        const stands = getPart(child, 'value', 'type')?.text()
        if (stands !== undefined) aliases.set(name, stands)
      } else if (name !== undefined && kind === 'type_spec') {
        const own = getPart(child, 'type')
        if (own && /^(?:struct|interface)_type$/.test(kindOf(own))) types.set(name, child)
        else if (own) aliases.set(name, own.text())
      } else if (name !== undefined && FUNCTION.test(kind)) {
        const type = getPart(child, 'return_type', 'result', 'type', 'returns')?.text()
        if (type !== undefined) results.set(name, type)
      } else if (name !== undefined) {
        if (kind !== 'impl_item') types.set(name, child)
        if (isEnumeration(child, kind, enumeration)) enumerations.add(name)
      }
      visit(child, depth + 1)
    }
  }
  visit(root, 0)
  return { enumerations, aliases, types, results, scopes: new Map() }
}

function nameOf(node: SgNode): string | undefined {
  return (
    getPart(node, 'name') ?? listParts(node).find(part => /identifier|^name$|^constant$/.test(kindOf(part)))
  )?.text()
}

function isEnumeration(node: SgNode, kind: string, expression: RegExp | undefined): boolean {
  // A member of one that holds a text, as in Rust and Swift, may hold any.
  if (kind === 'enum_item') return !/\(|\{[^}]*:/.test(node.text().slice(node.text().indexOf('{') + 1))
  if (/^enum_/.test(kind)) return true
  const parts = listParts(node)
  const body = parts.find(part => kindOf(part) === 'enum_class_body')
  if (body) return !/\bcase\s+\w+\s*\(/.test(body.text())
  const bases = getPart(node, 'superclasses') ?? parts.find(part => kindOf(part) === 'argument_list')
  return expression !== undefined && bases !== undefined && expression.test(bases.text())
}
