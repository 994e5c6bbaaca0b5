import type { SgNode } from '@ast-grep/napi'
import { kindOf } from './nodes.ts'

/** What looking for bindings draws on, of one file. */
export interface Looking {
  /** How many nodes may still be visited. */
  limit: { left: number }
  declared: { scopes: Map<number, Binders> }
}

/** The nodes of a part of a tree that can bind a name, whatever name. */
export interface Binders {
  /** In the order in which they are written. */
  binders: readonly Binder[]
  /** How many nodes were visited; fewer than there are where it is not whole. */
  visited: number
  isWhole: boolean
  /** Of the part, and where it starts in the file: UTF-16 units. */
  text: string
  start: number
}

interface Binder {
  node: SgNode
  /** How many nodes come before it. */
  order: number
  start: number
  end: number
}

export const ASSIGNMENT =
  /assignment|^(?:let_declaration|variable_declarator|property_declaration|val_definition|var_definition|const_spec|var_spec|const_item|static_item|const_element|property_element|named_expression|field_declaration|public_field_definition|property_declaration|property_signature|short_var_declaration|class_parameter|property_promotion_parameter|assignment|constant_declaration|value_definition|keyword_parameter|default_parameter|typed_default_parameter)$/
export const PARAMETER =
  /parameter$|^parameter_declaration$|^lambda_parameters$|^block_parameters$|^method_parameters$|^parameters$|^formal_parameter$|^closure_parameters$|^implicit_parameter$/
export const LOOP =
  /^(?:enhanced_for_statement|for_in_statement|foreach_statement|for_statement|for_expression|for|range_clause|for_in_clause|enumerator|for_each_statement)$/
export const LAMBDA = /lambda|arrow_function/
export const DECLARING = /^(?:declaration_expression|declaration_pattern|instanceof_expression|resource)$/
export const OPTIONAL = /^(?:if|guard|while)_statement$/

const binding = new Map<string, boolean>()

/** Whether nodes of the kind can bind a name: asked of every node, and there are few kinds. */
function bindsNames(kind: string): boolean {
  let binds = binding.get(kind)
  if (binds === undefined) {
    binds = [LOOP, LAMBDA, DECLARING, PARAMETER, OPTIONAL, ASSIGNMENT].some(kinds => kinds.test(kind))
    binding.set(kind, binds)
  }
  return binds
}

/**
 * Lists them, once for all names and findings of a file: each look at a node crosses into native code, and most nodes bind nothing. No more
 * than `most` nodes are visited.
 */
export function listBinders(scope: SgNode, most: number): Binders {
  const binders: Binder[] = []
  let visited = 0
  let isWhole = true
  const visit = (node: SgNode): void => {
    if (visited === most) {
      isWhole = false
      return
    }
    const order = visited++
    // A name needs a part to stand in.
    if (node.isLeaf()) return
    const kind = kindOf(node)
    if (bindsNames(kind)) {
      const { start, end } = node.range()
      binders.push({ node, order, start: start.index, end: end.index })
    }
    for (const child of node.namedChildren()) {
      if (!isWhole) return
      visit(child)
    }
  }
  visit(scope)
  return { binders, visited, isWhole, text: scope.text(), start: scope.range().start.index }
}

/** Where a name stands in the file, as far as the part of the tree goes. */
export function findPlaces({ text, start }: Binders, name: string): number[] {
  const places: number[] = []
  if (name === '') return places
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) places.push(start + at)
  return places
}

/** Whether one of the sorted places lies from `first` to `last`. */
export function isWithin(places: readonly number[], first: number, last: number): boolean {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (places[middle]! < first) low = middle + 1
    else high = middle
  }
  return low < places.length && places[low]! <= last
}
