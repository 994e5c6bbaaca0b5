import type { SgNode } from '@ast-grep/napi'
import type { Looking } from './binders.ts'
import { type Binding, findBindings, keepReaching } from './bindings.ts'
import { COMPREHENSION } from './kinds.ts'
import { getPart, holds, isFunction, kindOf } from './nodes.ts'

/** The bindings of a name that can reach its use, of the nearest scope that has any. */
export function findVisibleBindings(node: SgNode, name: string, looking: Looking): Binding[] {
  for (let scope = findScope(node); scope; scope = findScope(scope)) {
    const found = findBindings(scope, name, looking).filter(each => isSeen(each, node, scope!))
    if (found.length > 0) return keepReaching(found, node)
  }
  return []
}

/** The next function, type or file around a node. */
export function findScope(node: SgNode): SgNode | undefined {
  for (let around = node.parent(); around; around = around.parent()) {
    const kind = kindOf(around)
    if (
      isFunction(around) ||
      COMPREHENSION.test(kind) ||
      /^(?:class|struct|object|record|enum|trait|interface|impl|module)(?:_|$)/.test(kind) ||
      !around.parent()
    ) {
      if (/_(?:type|body|pattern)$/.test(kind) && around.parent()) continue
      return around
    }
  }
  return undefined
}

/** Whether a binding in a scope is one of the name where it is used: what another function or type within declares is not. */
function isSeen({ node, isParameter, value }: Binding, use: SgNode, scope: SgNode): boolean {
  for (let around = node.parent(); around && around.id() !== scope.id(); around = around.parent()) {
    const kind = kindOf(around)
    const isInner = isFunction(around) || COMPREHENSION.test(kind)
    if (isInner && !holds(around, use)) return false
    if (isInner && isParameter) return holds(around, use)
  }
  return !(value && holds(value, use) && /declar|spec|definition|let_/.test(kindOf(node)))
}

/** Whether the declaration is the type's own, and not one of a method's variables. */
export function isOfType(node: SgNode, type: SgNode): boolean {
  if (/[.>@]/.test(getPart(node, 'left')?.text() ?? '')) return true
  for (let around = node.parent(); around && around.id() !== type.id(); around = around.parent()) {
    if (
      /^(?:constructor|method|init)/.test(kindOf(around)) &&
      /promotion|class_parameter|required_parameter/.test(kindOf(node))
    )
      return /private|public|protected|readonly/.test(node.text())
    if (isFunction(around)) return false
  }
  return true
}
