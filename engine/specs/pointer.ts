import { isTree, type Tree } from './document.ts'

/** A key as a step of a JSON pointer (RFC 6901). */
export function escapePointerStep(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The keys that a JSON pointer leads through. */
export function splitPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The keys that a reference within the document leads through; undefined for one that leads elsewhere. */
export function splitReference(reference: unknown): string[] | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined
  try {
    return splitPointer(decodeURIComponent(reference.slice(1)))
  } catch {
    return splitPointer(reference.slice(1))
  }
}

/** What a reference within the document leads to; undefined where it leads nowhere. */
export function resolvePointer(data: Tree, reference: string): unknown {
  let at: unknown = data
  for (const step of splitReference(reference) ?? [])
    at = Array.isArray(at) ? at[Number(step)] : isTree(at) && Object.hasOwn(at, step) ? at[step] : undefined
  return at
}

/** Keys below which stands data for the reader's sake. */
const SAMPLES = new Set([
  'example',
  'examples',
  'default',
  'enum',
  'const',
  'x-example',
  'x-examples',
  'value',
  'dataValue',
])

/** Calls back for every map of a document, with the keys that lead to it; examples and extensions are passed over. */
export function walk(data: unknown, visit: (node: Tree, path: string[]) => void, path: string[] = []): void {
  if (Array.isArray(data)) {
    for (const [index, item] of data.entries()) walk(item, visit, [...path, String(index)])
    return
  }
  if (!isTree(data)) return
  visit(data, path)
  const named = ['properties', 'patternProperties', 'schemas', 'definitions', '$defs'].includes(path.at(-1) ?? '')
  for (const [key, value] of Object.entries(data))
    if (named || !(SAMPLES.has(key) || key.startsWith('x-'))) walk(value, visit, [...path, key])
}
