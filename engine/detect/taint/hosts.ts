import type { Expression } from './ir.ts'
import { tracePath, type Value } from './value.ts'

/** Whether the expression is the host of an address, by its name. */
export function asksHost(expression: Expression): boolean {
  if (expression.kind === 'call') return asksHost(expression.callee)
  if (expression.kind === 'binary' && expression.operator === 'either') return asksHost(expression.left)
  return expression.kind === 'member' && /^(?:get_?)?(?:host(?:_?name|_str)?|authority)$/i.test(expression.name)
}

/** Whether a value was read from an address as its host, and kept under another name since. */
export function wasHost({ labels }: Value): boolean {
  return labels.some(label => tracePath(label).some(step => HOST.test(step.label)))
}

const HOST = /^(?:read from \.|propagated through )host(?:name)?$/
