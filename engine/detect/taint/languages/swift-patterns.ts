import type { Expression } from '../ir.ts'
import type { SwiftFile } from './swift.ts'
import { readName } from './swift-properties.ts'
import { makeExpression, makeUnknown, type Syntax } from './syntax.ts'

/** Cases that hold what went wrong; what came in is not followed into it. */
const FAILED = /^(?:failure|error)$/

/**
 * A pattern as the target of an assignment: what it binds is taken out of the value. `parts` are all children of a pattern, or those that the grammar
 * leaves beside each other in a condition; `binds` where `let` stands before all of it.
 */
export function lowerPattern(at: Syntax, parts: readonly Syntax[], binds: boolean): Expression {
  let isBound = binds
  const inner: Syntax[] = []
  let name: Syntax | undefined
  let isCase = false
  let isFailed = false
  for (const part of parts) {
    if (part.kind === 'value_binding_pattern') isBound = true
    else if (part.kind === 'pattern') inner.push(part)
    else if (part.text === 'is') return makeUnknown(at)
    else if (part.text === '.') isCase = true
    else if (part.kind === 'simple_identifier') {
      if (isCase) isFailed = FAILED.test(part.text)
      else name = part
    }
  }
  if (isFailed) return makeUnknown(at)
  if (inner.length > 0) {
    const targets = inner.map(each => lowerPattern(each, each.all, isBound))
    return targets.length === 1
      ? targets[0]!
      : makeExpression(at, { kind: 'list', items: targets.map(value => ({ value })) })
  }
  return name && isBound && !isCase ? makeExpression(name, { kind: 'name', name: readName(name) }) : makeUnknown(at)
}

/** Whether a pattern binds a name. */
export function bindsAny(target: Expression): boolean {
  return target.kind === 'name' || (target.kind === 'list' && target.items.some(({ value }) => bindsAny(value)))
}

/** The fixed value that a pattern compares with, if it is one; undefined for any other. */
export function lowerFixed(file: SwiftFile, { all }: Syntax): Expression | undefined {
  const [only, ...more] = all
  return only && more.length === 0 && /_literal$/.test(only.kind) ? file.expression(only) : undefined
}
