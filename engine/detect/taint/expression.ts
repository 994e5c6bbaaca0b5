const known = new Map<string, RegExp>()

/** A regular expression of a model or rule; `(?i)` at its beginning makes case no difference. */
export function compileExpression(source: string): RegExp {
  let made = known.get(source)
  if (!made) {
    made = source.startsWith('(?i)') ? new RegExp(source.slice(4), 'iu') : new RegExp(source, 'u')
    known.set(source, made)
  }
  return made
}
