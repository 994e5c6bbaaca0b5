import type { Analysis } from './analysis.ts'
import type { Expression } from './ir.ts'
import { tracePath, type Value } from './value.ts'

const NAME = '(?:get_?)?(?:host(?:_?name|_str)?|authority)'
const IS_HOST = new RegExp(`^${NAME}$`, 'i')
const READS_HOST = new RegExp(`\\.${NAME}(?:\\(\\))?$`, 'i')
/** As much of an expression's end as its last name has. */
const LONGEST = 20

/** Whether the expression is the host of an address, by its name. */
export function asksHost(expression: Expression): boolean {
  if (expression.kind === 'call') return asksHost(expression.callee)
  if (expression.kind === 'binary' && expression.operator === 'either') return asksHost(expression.left)
  return expression.kind === 'member' && IS_HOST.test(expression.name)
}

/** Whether a value was read from an address as its host, by the code that it came by, and kept under another name since. */
export function wasHost({ text }: Analysis, { labels }: Value): boolean {
  return labels.some(label =>
    tracePath(label).some(({ start, end }) => READS_HOST.test(text.slice(Math.max(start, end - LONGEST), end))),
  )
}
