import type { Analysis } from './analysis.ts'
import type { Given } from './functions.ts'
import { type Callee, listInputs, nameCallee } from './handovers.ts'
import type { State } from './state.ts'

/** Classes of sink for which a function's parameter is clean where the function answers yes, where it answers no, and where it comes back at all; `*` is all. */
export interface Checks {
  yes?: string[]
  no?: string[]
  back?: string[]
}

export type Answer = keyof Checks

/** The classes of sink for which an argument is clean after a function of another file answered so about it. */
export function listChecked(
  { outside, module }: Analysis,
  site: Callee,
  { argument, value }: Given,
  position: number,
  answer: Answer,
  state: State,
): string[] {
  const callee = outside && nameCallee(site, module.imports)
  if (!outside || callee === undefined) return []
  const at = { position, ...(argument.name !== undefined && { name: argument.name }) }
  let out: string[] | undefined
  for (const { input } of listInputs(value, state)) {
    const classes = outside.check(callee, at, input)?.[answer] ?? []
    out = !out || out[0] === '*' ? classes : classes[0] === '*' ? out : out.filter(name => classes.includes(name))
  }
  return out ?? []
}
