import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readPacks } from '../../engine/sources/packs/folder.ts'
import { loadBuiltinPacks, loadExamples } from '../../engine/sources/packs/load.ts'
import type { Pack } from '../../engine/sources/packs/pack.ts'
import { ROOT } from '../root.ts'

const PACKS = join(ROOT, 'packs')
const BUILT = join(ROOT, 'dist/packs.json')

let shipped: readonly Pack[] | undefined

/**
 * The packs that come with svc, each rule with its examples. The build has read them and proven every example, which takes half a minute
 * of a processor; its result is taken, unless a pack was written after it.
 */
export async function loadShippedPacks(): Promise<readonly Pack[]> {
  shipped ??= isBuilt()
    ? loadBuiltinPacks().map(pack => ({ ...pack, rules: pack.rules.map(rule => ({ ...rule, ...loadExamples(rule) })) }))
    : await readPacks(PACKS)
  return shipped
}

/** Whether every pack is older than what was built of them. */
function isBuilt(): boolean {
  const built = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return readdirSync(PACKS, { recursive: true, encoding: 'utf8' }).every(
    path => statSync(join(PACKS, path)).mtimeMs < built,
  )
}
