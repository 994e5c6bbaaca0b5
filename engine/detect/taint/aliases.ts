import type { Analysis } from './analysis.ts'
import { KNOWN_OF, type State } from './state.ts'

/** Under which it is kept, among the variables, of which one another was made a copy; no program has such a variable. */
const COPIED = KNOWN_OF.copy

/** Keeps that a variable was declared as another one: what a check says of the one holds for the other. `var x = x` is no copy. */
export function keepAlias(a: Analysis, name: string, of: string, state: State): void {
  if (name === of) return
  a.copies.add(COPIED + name)
  state.variables.set(COPIED + name, { labels: [], constant: of })
}

/** The variable that this one is a copy of, while neither was written to. */
export function resolveAlias(a: Analysis, name: string, state: State): string | undefined {
  const of = a.copies.size > 0 ? state.variables.get(COPIED + name)?.constant : undefined
  return typeof of === 'string' ? of : undefined
}

/** What is written to a variable ends what was known of its copies. */
export function forgetAliases(a: Analysis, name: string, state: State): void {
  for (const copy of state.listKnownOf(a.copies))
    if (copy === COPIED + name || state.variables.get(copy)?.constant === name) state.variables.delete(copy)
}
