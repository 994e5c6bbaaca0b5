import type { SourceSpec } from '../../base/records/taint-model.ts'
import type { Frame } from './analysis.ts'
import type { Expression } from './ir.ts'
import type { State } from './state.ts'

/** How the code came by an object: it was handed in (a parameter, or no variable of the function), found (a loop or a call gave it), or made here. */
export type Origin = 'handed' | 'found' | 'made'

/** How the code came by the object that a source's `receiver` names. */
export function findOrigin(f: Frame, object: Expression, state: State): Origin {
  const held = object.kind === 'name' ? state.variables.get(object.name) : undefined
  if (!held || f.function?.parameters.some(({ name }) => object.kind === 'name' && name === object.name))
    return 'handed'
  return held.refs || held.constant !== undefined ? 'made' : 'found'
}

/** Whether an object of this origin may be the one that a framework has, for this source. */
export function isOfFramework(origin: Origin, { local }: Pick<SourceSpec, 'local'>): boolean {
  return origin === 'handed' || (origin === 'found' && local === true)
}
