import { resolve } from 'node:path'
import { EngineError, type Fault } from '../base/errors.ts'
import { findNearest } from '../base/text/nearest.ts'
import { readBaseline } from '../findings/baseline-file.ts'
import { readSuppressions } from '../findings/suppression-file.ts'
import { readLayer } from '../sources/config/layer.ts'
import { type Config, readConfigFile } from '../sources/config/load.ts'
import { getValue } from '../sources/config/merge.ts'
import { loadPacks } from '../sources/packs/load.ts'

/** The faults that an error of the user's files stands for; any other error is thrown on. */
export function listFaults(error: unknown): Fault[] {
  if (!(error instanceof EngineError) || (error.code !== 'CONFIG_INVALID' && error.code !== 'PACK_INVALID')) throw error
  return error.faults.length > 0 ? [...error.faults] : [error]
}

/**
 * The faults of all else that a scan reads before it begins: own packs and rules, packs that are named but do not exist,
 * suppressions, baseline. `config` is absent where it is not valid itself; `path` is the file that took the root's place.
 */
export async function findNeighborFaults(root: string, config: Config | undefined, path?: string): Promise<Fault[]> {
  const faults: Fault[] = []
  try {
    const ids = (await loadPacks(root)).map(({ id }) => id)
    if (config) faults.push(...(await packFaults(root, config, ids, path)))
  } catch (error) {
    faults.push(...listFaults(error))
  }
  await readSuppressions(root).catch(error => faults.push(...listFaults(error)))
  try {
    readBaseline(root)
  } catch (error) {
    faults.push(...listFaults(error))
  }
  return faults
}

/** A fault for each pack that is switched on or off and does not exist, at each place that names it. */
async function packFaults(root: string, config: Config, ids: readonly string[], path?: string): Promise<Fault[]> {
  const settings = [config, ...config.folders.values()]
  const unknown = new Set(settings.flatMap(({ packs }) => [...packs.enable, ...packs.disable]))
  for (const id of ids) unknown.delete(id)
  if (unknown.size === 0) return []
  const faults: Fault[] = []
  const placed = new Set<string>()
  for (const [index, name] of config.sources.entries()) {
    const file = index === 0 && path !== undefined ? path : resolve(root, name)
    const layer = await readLayer(() => readConfigFile(root, file, name), name, 'root')
    for (const key of ['enable', 'disable']) {
      const named = (layer && getValue(layer.settings, ['packs', key])) ?? []
      for (const [at, id] of (named as string[]).entries()) {
        if (!unknown.has(id)) continue
        placed.add(id)
        faults.push({ message: noPack(id, ids), place: layer!.placeOf(['packs', key, String(at)], 'value') })
      }
    }
  }
  // What no file names comes from the environment.
  for (const id of unknown) if (!placed.has(id)) faults.push({ message: noPack(id, ids) })
  return faults
}

function noPack(id: string, ids: readonly string[]): string {
  const meant = findNearest(id, ids)
  return `There is no pack ${id}${meant ? `; did you mean ${meant}?` : '.'}`
}
