import { kind as numberOf, type SgNode } from '@ast-grep/napi'
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

const ENDINGS = ['declaration', 'definition', 'item']
const listForms = (names: readonly string[]) => names.flatMap(name => ENDINGS.map(ending => `${name}_${ending}`))
/** Kinds of declarations over all grammars. A test holds them to those of the grammars. */
const ALIASES: ReadonlySet<string> = new Set([
  'type_alias',
  'type_alias_declaration',
  'type_alias_statement',
  'type_item',
  'typealias_declaration',
  'type_definition',
])
const FUNCTIONS: ReadonlySet<string> = new Set([...listForms(['function', 'method']), 'function', 'method'])
const TYPES = listForms([
  'class',
  'struct',
  'interface',
  'record',
  'enum',
  'object',
  'protocol',
  'trait',
  'impl',
]).concat('type_spec', 'class')
/** Declarations within more others are not looked for. */
const DEEPEST = 12

const DECLARING: ReadonlySet<string> = new Set([...ALIASES, ...FUNCTIONS, ...TYPES])

/** Whether nodes of the kind declare a type, another name for one, or a function. */
export function isDeclaring(kind: string): boolean {
  return DECLARING.has(kind)
}

const rules = new Map<string, object | undefined>()

/** What finds the declarations of a grammar; undefined where it has none. */
function findRule(grammar: string): object | undefined {
  if (!rules.has(grammar)) {
    // ast-grep answers 0 for a kind that the grammar does not have.
    const kinds = [...DECLARING].filter(name => numberOf(grammar, name as never) > 0)
    rules.set(grammar, kinds.length > 0 ? { rule: { any: kinds.map(kind => ({ kind })) } } : undefined)
  }
  return rules.get(grammar)
}

const known = new WeakMap<SgNode, Declared>()

/** The types declared in a file, found out once. */
export function findDeclared(root: SgNode, name: string, language: SimpleTypes): Declared {
  let own = known.get(root)
  if (!own) {
    own = collect(root, name, language)
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

function collect(root: SgNode, name: string, language: SimpleTypes): Declared {
  const enumerations = new Set<string>()
  const aliases = new Map<string, string>()
  const types = new Map<string, SgNode>()
  const results = new Map<string, string>()
  const enumeration = language.enumeration === undefined ? undefined : new RegExp(language.enumeration)
  const rule = findRule(name)
  // Each look at a node crosses into native code, and nearly all of a file's nodes declare nothing: one search finds those that do.
  for (const node of rule ? (root.findAll(rule as never) as SgNode[]) : []) {
    if (node.isLeaf() || !isNear(node)) continue
    const name = nameOf(node)
    if (name === undefined) continue
    const kind = kindOf(node)
    if (ALIASES.has(kind)) {
      const stands = getPart(node, 'value', 'type')?.text()
      if (stands !== undefined) aliases.set(name, stands)
    } else if (kind === 'type_spec') {
      const own = getPart(node, 'type')
      if (own && /^(?:struct|interface)_type$/.test(kindOf(own))) types.set(name, node)
      else if (own) aliases.set(name, own.text())
    } else if (FUNCTIONS.has(kind)) {
      const type = getPart(node, 'return_type', 'result', 'type', 'returns')?.text()
      if (type !== undefined) results.set(name, type)
    } else {
      if (kind !== 'impl_item') types.set(name, node)
      if (isEnumeration(node, kind, enumeration)) enumerations.add(name)
    }
  }
  return { enumerations, aliases, types, results, scopes: new Map() }
}

/** Whether the node is not too deep in the tree, and in no comment. */
function isNear(node: SgNode): boolean {
  let depth = 0
  for (let outer = node.parent(); outer; outer = outer.parent())
    if (++depth > DEEPEST + 1 || /comment/.test(kindOf(outer))) return false
  return true
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
