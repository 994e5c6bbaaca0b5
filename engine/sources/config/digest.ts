import { createHash } from 'node:crypto'

/**
 * SHA-256, in hex, of everything that the configuration says, for the folders too. It does not depend on where the
 * settings came from, nor on the order in which they were written.
 */
export function computeConfigDigest(config: { readonly folders: ReadonlyMap<string, object> }): string {
  const all = [{ ...config }, [...config.folders].sort(([a], [b]) => (a < b ? -1 : 1))]
  return createHash('sha256').update(JSON.stringify(all, sortedKeys)).digest('hex')
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
