/** A nested map of settings. */
export type Tree = { [key: string]: unknown }

/** Whether a value is a map (not a list, not null). */
export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * `over` laid on `base`: maps merge key by key, everything else (lists too) is replaced. Neither argument is changed.
 * Associative, with {} as neutral element. Keys are set as own properties, so `__proto__` is a key like any other.
 */
export function merge(base: Tree, over: Tree): Tree {
  const merged = new Map<string, unknown>(Object.entries(base))
  for (const [key, value] of Object.entries(over)) {
    const below = merged.get(key)
    merged.set(key, isTree(below) && isTree(value) ? merge(below, value) : value)
  }
  return Object.fromEntries(merged)
}

/** The tree with one more key, given as its path. */
export function setKeyIn(tree: Tree, path: readonly string[], value: unknown): Tree {
  return merge(tree, path.reduceRight<unknown>((inner, key) => Object.fromEntries([[key, inner]]), value) as Tree)
}

/** The value at a path, or undefined. */
export function getValue(tree: unknown, path: readonly string[]): unknown {
  let at = tree
  for (const key of path) at = isTree(at) && Object.hasOwn(at, key) ? at[key] : undefined
  return at
}
