import type { Analysis } from './analysis.ts'
import type { Expression } from './ir.ts'
import { KNOWN_OF, type State } from './state.ts'
import type { Value } from './value.ts'

/** Under which what is known of `req.query.id` is kept among the variables; no program has such a variable. */
const CHECKED = KNOWN_OF.check

/** How a member of a member is written (`req.query.id`), where all of it is names. */
function writtenPath(expression: Expression): string | undefined {
  if (expression.kind === 'name') return expression.name
  if (expression.kind === 'this') return 'this'
  const key =
    expression.kind === 'member'
      ? expression.name
      : expression.kind === 'index' && expression.index?.kind === 'literal'
        ? String(expression.index.value)
        : undefined
  if (key === undefined || (expression.kind !== 'member' && expression.kind !== 'index')) return undefined
  const owner = writtenPath(expression.object)
  return owner === undefined ? undefined : `${owner}.${key}`
}

/** What a check before said of a member that stands for itself like a variable; undefined where there was none. */
export function evaluateChecked(a: Analysis, expression: Expression, state: State): Value | undefined {
  if (a.checked.size === 0) return undefined
  const path = writtenPath(expression)
  return path === undefined ? undefined : state.variables.get(CHECKED + path)
}

/** Keeps what a check says of a member. */
export function keepChecked(a: Analysis, expression: Expression, value: Value, state: State): void {
  if (expression.kind !== 'member' && expression.kind !== 'index') return
  const path = writtenPath(expression)
  if (path === undefined) return
  a.checked.add(CHECKED + path)
  state.variables.set(CHECKED + path, value)
}

/** What is written to a variable, member or element ends what was known of it and of everything in it. */
export function forgetChecked(a: Analysis, target: Expression, state: State): void {
  if (a.checked.size === 0) return
  // An element that is not known may be any.
  const path = writtenPath(target) ?? (target.kind === 'index' ? writtenPath(target.object) : undefined)
  if (path === undefined) return
  const own = CHECKED + path
  for (const name of state.listKnownOf(a.checked))
    if (name === own || name.startsWith(`${own}.`)) state.variables.delete(name)
}
