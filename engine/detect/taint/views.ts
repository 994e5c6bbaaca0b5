import { type Analysis, evaluate, type Frame } from './analysis.ts'
import type { CallSite } from './call-index.ts'
import type { Argument, Expression } from './ir.ts'
import { makeSite } from './names.ts'
import type { State } from './state.ts'
import { sanitizeValue, type Value } from './value.ts'

/** The result of a call, with the variable that it shows where it is one that shows its argument. */
export function evaluateView(a: Analysis, site: CallSite, [first]: readonly Argument[], value: Value): Value {
  if (first?.value.kind !== 'name' || value.labels.length === 0) return value
  const cleans = a.knowledge.views.find(site)[0]
  return cleans ? { ...value, view: { name: first.value.name, cleans } } : value
}

/** Cleans what a checked expression shows, for those of the classes that such a check says something about. */
export function throughView(
  a: Analysis,
  f: Frame,
  expression: Expression,
  classes: readonly string[],
  state: State,
): boolean {
  if (expression.kind === 'literal' || expression.kind === 'call') return false
  const value = shown(a, f, expression, state)
  if (!value?.view) return false
  const { name, cleans } = value.view
  const held = state.variables.get(name)
  const isSame = held?.labels.some(({ origin }) => value.labels.some(other => other.origin.start === origin.start))
  if (held && isSame && !HARMLESS_PARTS.test(expression.kind === 'member' ? expression.name : ''))
    state.variables.set(
      name,
      sanitizeValue(held, classes.includes('*') ? cleans : classes.filter(each => cleans.includes(each))),
    )
  return true
}

/** Parts of an address that say nothing of where it leads. */
const HARMLESS_PARTS = /^(?:scheme|protocol|Scheme|path|pathname|query|search|fragment|hash|port)$/

/** What a name or a member of one holds, or of a call that shows its argument. */
function shown(a: Analysis, f: Frame, expression: Expression, state: State): Value | undefined {
  if (expression.kind === 'name') return state.variables.get(expression.name)
  if (expression.kind !== 'member') return undefined
  const { object } = expression
  if (object.kind === 'call' && a.knowledge.views.find(makeSite(a, f, object, state)).length === 0) return undefined
  return object.kind === 'call' ? evaluate(a, f, object, state) : shown(a, f, object, state)
}
