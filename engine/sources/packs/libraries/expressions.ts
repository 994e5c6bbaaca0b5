import { compileExpression } from '../../../detect/taint/expression.ts'
import { boundExpression, type Subject } from './bounded-expression.ts'

/** Keys whose text is a regular expression over a name. */
const OVER_NAMES = new Set('imports decorators decorated function key returned_by needs_import result_type'.split(' '))
/** Keys whose text is a regular expression over what a text of the program, or the file, holds. */
const OVER_TEXTS = new Set(
  'head receiver file matches not may written needs_prefix unless_prefix unless_function unless_file unless_head needs_head unless_followed unless_within look_ups'.split(
    ' ',
  ),
)
/** Keys of lists of calls or names, and of maps from calls: one that begins with a slash is a regular expression. */
const CALL_LISTS = new Set(['calls', 'non_propagators', 'no_return', 'known'])
const CALL_MAPS = new Set(['result_types', 'result_texts'])

/**
 * A library, or a taint rule, with its expressions as they are run, each compiled once to see that it is one. Those of what does not come
 * with svc are bounded. `add` is told of those that are none.
 */
export function compileExpressions<T extends object>(
  tree: T,
  isBuiltIn: boolean,
  add: (path: string[], message: string) => void,
): T {
  const compile = (source: string, subject: Subject, path: string[]): string => {
    try {
      compileExpression(source)
      return isBuiltIn ? source : boundExpression(source, subject)
    } catch (error) {
      add(path, `${path.join('.')} is not a regular expression that svc runs: ${(error as Error).message}`)
      return source
    }
  }
  const walk = (value: unknown, path: string[]): unknown => {
    const key = path.at(-1) ?? ''
    const owner = path.at(-2) ?? ''
    if (typeof value === 'string') {
      if (/^\d+$/.test(key)) return CALL_LISTS.has(owner) ? compileCall(value, path) : value
      // Of a taint rule: what the file must match.
      if (path.length === 1 && key === 'when') return compile(value, 'text', path)
      if (OVER_NAMES.has(key)) return compile(value, 'name', path)
      return OVER_TEXTS.has(key) || owner === 'unless_setting' ? compile(value, 'text', path) : value
    }
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((inner, index) => walk(inner, [...path, String(index)]))
    const isCallMap = path.length === 1 && CALL_MAPS.has(key)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        isCallMap ? compileCall(name, [...path, name]) : name,
        path.length === 0 && (name === 'match' || name === 'clean') ? inner : walk(inner, [...path, name]),
      ]),
    )
  }
  const compileCall = (name: string, path: string[]): string =>
    name.startsWith('/') ? `/${compile(name.slice(1, -1), 'name', path)}/` : name
  return walk(tree, []) as T
}
