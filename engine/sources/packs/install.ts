import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { EngineError, toEngineError } from '../../base/errors.ts'
import { readPacks } from './folder.ts'
import type { Pack } from './pack.ts'
import { formatYaml, toWrittenPack, type WrittenRule } from './pack-file.ts'

/** Where a repository keeps packs of its own, one folder each. */
export const OWN_PACKS = '.svc/packs'

/** Whether the repository has a pack of its own under this id. */
export function isOwnPack(root: string, id: string): boolean {
  return /^[a-z][a-z0-9-]*$/.test(id) && existsSync(join(root, OWN_PACKS, id, 'pack.yaml'))
}

/** CONFLICT where the repository has a pack of its own under this id. */
export function requireFree(root: string, id: string): void {
  if (existsSync(join(root, OWN_PACKS, id)))
    throw new EngineError('CONFLICT', `A pack ${id} exists already in ${OWN_PACKS}.`, {
      hint: 'Replace it with --overwrite, or set another id with --id.',
    })
}

/**
 * Writes a pack to `.svc/packs/<id>/`: pack.yaml, and a file for each rule and library, as it was written. Everything is made in a temporary folder,
 * loaded from there as a scan will load it, and renamed when complete, so nothing half-written is ever seen. CONFLICT where
 * the pack is there and is not to be replaced.
 */
export async function installPack(
  root: string,
  pack: Pack,
  { rules, libraries }: { rules: readonly WrittenRule[]; libraries: readonly { name: string; data: object }[] },
  replace: boolean,
): Promise<string> {
  const target = join(root, OWN_PACKS, pack.id)
  if (!replace) requireFree(root, pack.id)
  const temporary = join(root, '.svc', `.import-${process.pid}-${Date.now().toString(36)}`)
  try {
    const fresh = join(temporary, 'new', pack.id)
    makeFolders(join(fresh, 'rules'))
    writeFileSync(join(fresh, 'pack.yaml'), await formatYaml(toWrittenPack(pack)))
    for (const rule of rules) writeFileSync(join(fresh, 'rules', `${rule.id}.yaml`), await formatYaml(rule))
    if (libraries.length > 0) makeFolders(join(fresh, 'libraries'))
    for (const { name, data } of libraries)
      writeFileSync(join(fresh, 'libraries', `${name}.yaml`), await formatYaml(data))
    await readPacks(join(temporary, 'new'), root)
    makeFolders(dirname(target))
    if (existsSync(target)) renameSync(target, join(temporary, 'old'))
    renameSync(fresh, target)
  } catch (error) {
    if (existsSync(join(temporary, 'old')) && !existsSync(target)) renameSync(join(temporary, 'old'), target)
    throw toEngineError(error)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  return `${OWN_PACKS}/${pack.id}`
}

/** NOT_FOUND where the repository has no pack of its own under this id. */
export function requireOwnPack(root: string, id: string): void {
  if (!isOwnPack(root, id)) throw new EngineError('NOT_FOUND', `No pack ${id} in ${OWN_PACKS}.`)
}

/** Takes a pack of the repository's own away, in one step. NOT_FOUND where there is none. */
export function deletePack(root: string, id: string): void {
  requireOwnPack(root, id)
  const doomed = join(root, '.svc', `.delete-${process.pid}-${Date.now().toString(36)}`)
  try {
    renameSync(join(root, OWN_PACKS, id), doomed)
    rmSync(doomed, { recursive: true, force: true })
  } catch (error) {
    throw toEngineError(error)
  }
}
