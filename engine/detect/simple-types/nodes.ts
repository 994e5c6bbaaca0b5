import type { SgNode } from '@ast-grep/napi'

/** The first of these fields that the node has. */
export function getPart(node: SgNode, ...names: readonly string[]): SgNode | undefined {
  for (const name of names) {
    const found = node.field(name)
    if (found) return found
  }
  return undefined
}

/** The parts of a node that are neither punctuation nor comments. */
export function listParts(node: SgNode): SgNode[] {
  return node.namedChildren().filter(child => !/comment/.test(String(child.kind())))
}

export function kindOf(node: SgNode): string {
  return String(node.kind())
}

export function startOf(node: SgNode): number {
  return node.range().start.index
}

export function holds(outer: SgNode, inner: SgNode): boolean {
  const a = outer.range()
  const b = inner.range()
  return a.start.index <= b.start.index && b.end.index <= a.end.index
}

/** A dotted name, however the language writes it: `a::b`, `a->b`, `a?.b` are `a.b`. */
export function readName(node: SgNode): string {
  return node
    .text()
    .replace(/::<[^<>]*>|<[^<>()]*>/g, '')
    .replace(/\?->|->|::|\?\.|!!?\./g, '.')
    .replace(/\s+/g, '')
    .replace(/^\$|^@+|!$/g, '')
}

const FUNCTION =
  /^(?:function|method|constructor|lambda|arrow_function|anonymous_function|anonymous_method|closure_expression|func_literal|do_block|local_function|static_initializer|singleton_method|getter|setter|init_declaration)/
const NO_FUNCTION = /_(?:invocation|call|call_expression|parameters?|body|type|modifiers?|signature|name)$/

/** Whether a node has variables of its own: a function, or a block that is handed to one. */
export function isFunction(node: SgNode): boolean {
  const kind = kindOf(node)
  if (kind === 'block' || kind === 'do_block') return getPart(node, 'parameters') !== undefined
  return FUNCTION.test(kind) && !NO_FUNCTION.test(kind)
}
