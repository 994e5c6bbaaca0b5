/** `Name<…>`, with what stands between the angle brackets. */
const GENERIC = /^([\w.]+)<(.*)>$/s

/** Types within types that are looked through. */
const DEEPEST = 5

/**
 * The type that others only hold (`Arc<Client>`, `State<Arc<Client>>`): what is called on the outer one is called on it. `wrappers` are the names
 * of such types; of one with several types the first counts.
 */
export function unwrapType(wrappers: ReadonlySet<string>, written: string): string {
  let type = written
  for (let depth = 0; depth < DEEPEST && wrappers.size > 0; depth++) {
    const [, name, inner] = GENERIC.exec(type.trim()) ?? []
    if (name === undefined || inner === undefined || !wrappers.has(name.slice(name.lastIndexOf('.') + 1))) break
    type = inner.slice(0, findEnd(inner))
  }
  return type
}

/** Where the first of several types ends. */
function findEnd(types: string): number {
  let depth = 0
  for (let at = 0; at < types.length; at++) {
    const char = types[at]!
    if (char === '<' || char === '(') depth++
    else if (char === '>' || char === ')') depth--
    else if (char === ',' && depth === 0) return at
  }
  return types.length
}
