import { EngineError, type Fault, type Place } from '../../base/errors.ts'
import type { Tree } from './merge.ts'
import { placeFault, type Scope, validate } from './validate.ts'

/** One configuration file: what it sets, and its faults with their places. */
export interface Layer {
  /** The name shown: repository-relative, or as the caller gave it. */
  name: string
  settings: Tree
  faults: Fault[]
  placeOf(path: readonly string[], part: 'key' | 'value'): Place
}

/** The configuration file that `read` reads; undefined where there is none. A file that cannot be read is a layer with that fault. */
export async function readLayer(
  read: () => Uint8Array | undefined,
  name: string,
  scope: Scope,
): Promise<Layer | undefined> {
  let bytes: Uint8Array | undefined
  try {
    bytes = read()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const { message, hint } = error
    const place = { file: name }
    return { name, settings: {}, faults: [{ message: `${message} ${hint}`, place }], placeOf: () => place }
  }
  return bytes && parseLayer(bytes, name, scope)
}

/** The layer that a file of these bytes would be. */
export async function parseLayer(bytes: Uint8Array, name: string, scope: Scope): Promise<Layer> {
  const { parseYaml } = await import('./parse.ts')
  const parsed = parseYaml(bytes, name)
  if (parsed.faults.length > 0) return { name, settings: {}, faults: parsed.faults, placeOf: parsed.placeOf }
  const { settings, faults } = validate(parsed.value, scope)
  const inOrder = faults.map(fault => placeFault(fault, parsed.placeOf)).sort(byPlace)
  return { name, settings, faults: inOrder, placeOf: parsed.placeOf }
}

/** The order in which a person meets the faults in the file. */
function byPlace(a: Fault, b: Fault): number {
  return (a.place?.line ?? 0) - (b.place?.line ?? 0) || (a.place?.column ?? 0) - (b.place?.column ?? 0)
}
