import type { SgNode } from '@ast-grep/napi'
import { MEMBER } from './kinds.ts'
import { getPart, kindOf, listParts } from './nodes.ts'

/** The name that a call calls, however the language writes it, with its owner: `a::b`, `a->b`, `a?.b` are `a.b`. */
export function readCallee(node: SgNode, kind: string): { name: string; isNew: boolean; typeArguments?: string } {
  const isNew = /^(?:new_|object_creation|instance_expression)/.test(kind)
  const method = getPart(node, 'name', 'method')
  const object = getPart(node, 'object', 'receiver', 'scope')
  const callee =
    getPart(node, 'function', 'macro', 'constructor') ??
    (isNew ? getPart(node, 'type') : undefined) ??
    listParts(node)[0]
  const written =
    method && (object || !getPart(node, 'function'))
      ? object
        ? `${object.text()}.${method.text()}`
        : method.text()
      : (callee?.text() ?? '')
  const generic = /<([^<>]+(?:<[^<>]*>)?)>\s*$/.exec(written)
  const name = written
    .replace(/^new\s+/, '')
    .replace(/::<.*>$|<[^<>()]*(?:<[^<>]*>)?[^<>()]*>/g, '')
    .replace(/\?->|->|::|\?\.|!!?\./g, '.')
    .replace(/\s+/g, '')
    .replace(/\(\.\.\.\)/, '')
  return { name, isNew, ...(generic && { typeArguments: generic[1]! }) }
}

/** The values that a call is given. */
export function readArguments(node: SgNode): SgNode[] {
  const list =
    getPart(node, 'arguments') ??
    listParts(node).find(part => /^(?:call_suffix|arguments|argument_list)$/.test(kindOf(part)))
  if (!list) return []
  const parts = listParts(list).flatMap(part => (kindOf(part) === 'value_arguments' ? listParts(part) : part))
  return parts.map(part => getPart(part, 'value') ?? part)
}

/** The object that a method is called on. */
export function findReceiver(call: SgNode): SgNode | undefined {
  const own = getPart(call, 'receiver', 'object', 'scope')
  if (own) return own
  const callee = getPart(call, 'function') ?? listParts(call)[0]
  if (!callee) return undefined
  const inner = kindOf(callee) === 'generic_function' ? (getPart(callee, 'function') ?? callee) : callee
  return MEMBER.test(kindOf(inner))
    ? (getPart(inner, 'object', 'expression', 'operand', 'value', 'path') ?? listParts(inner)[0])
    : undefined
}
