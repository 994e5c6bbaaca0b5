import type { Fault } from '../../../base/errors.ts'
import { isObject } from '../../../base/text/json-object.ts'
import type { PlaceOf } from '../parse.ts'
import { compileExpressions } from './expressions.ts'

/**
 * A rule of a repository's own as it was written, with the expressions of a taint rule bounded like those of a library: nobody can stop them
 * where the analysis runs. The faults name those that cannot be. Rules of other types are run with a deadline, and stay as they are.
 */
export function boundTaintRule(data: unknown, place: PlaceOf): { data: unknown; faults: Fault[] } {
  if (!isObject(data) || data.type !== 'taint') return { data, faults: [] }
  const faults: Fault[] = []
  const id = typeof data.id === 'string' ? `${data.id}: ` : ''
  const bounded = compileExpressions(data, false, (path, message) =>
    faults.push({ message: `${id}${message}`, place: place(path, 'value') }),
  )
  return { data: bounded, faults }
}
