import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { EngineError, type Fault } from '../../base/errors.ts'
import { findWeaknessRule } from '../../base/records/rule-ids.ts'
import { buildTrie } from '../../detect/file/rule-set.ts'
import { encodeTrie, TRIE_FILE } from '../../detect/prefilter/trie-file.ts'
import { SNIPPETS_FILE } from '../../detect/snippets/models.ts'
import { encodeModels, listInstalledModels, MODELS_FILE } from '../../detect/taint/models.ts'
import { readPacks } from './folder.ts'
import { compileSnippets } from './libraries/compile-snippets.ts'
import { proveBuiltin } from './libraries/prove-builtin.ts'
import { readLibraries } from './libraries/read.ts'
import { EXAMPLES_FILE, type Examples } from './load.ts'
import type { Pack } from './pack.ts'
import { packTexts } from './packed.ts'
import { readForms } from './weaknesses.ts'

/**
 * Checks the packs that come with svc and writes them as `packs.json`, which loads in milliseconds where YAML would take
 * seconds; their rules' examples, and what was written where it runs otherwise,
 * which no scan needs, go to `examples.json.br` beside it,
 * and what must stand in files for the rules to look at them to a file of its own. What is known of libraries goes to `libraries.json`,
 * and what snippets are taken for, which scans of repositories never ask, to `snippets.json`.
 */
export async function compileBuiltin(folder: string, target: string): Promise<void> {
  const packs = await readPacks(folder)
  const rules = packs.flatMap(pack => pack.rules)
  const faults = [
    ...crossFaults(packs),
    ...(await formFaults(join(folder, 'weaknesses'), packs)),
    ...(await proveBuiltin(join(folder, 'libraries'), rules)),
  ]
  if (faults.length > 0) throw new EngineError('PACK_INVALID', faults[0]!.message, { faults })
  const examples: Examples = {}
  for (const { id, match, clean, written } of packs.flatMap(({ rules }) => rules))
    examples[id] = { match, clean, written }
  let number = 0
  const lean = packs.map(pack => ({
    ...pack,
    rules: pack.rules.map(rule => ({ ...rule, written: undefined, match: [], clean: [], number: number++ })),
  }))
  const libraries = (await readLibraries(join(folder, 'libraries'))).map(({ library }) => library)
  writeFileSync(join(target, SNIPPETS_FILE), JSON.stringify(compileSnippets(libraries)))
  const { packs: small, texts } = packTexts(lean)
  writeFileSync(join(target, MODELS_FILE), encodeModels(listInstalledModels()))
  writeFileSync(join(target, 'packs.json'), small)
  writeFileSync(join(target, 'texts.json'), texts)
  writeFileSync(join(target, TRIE_FILE), encodeTrie(buildTrie(lean.flatMap(({ rules }) => rules))))
  writeFileSync(join(target, EXAMPLES_FILE), brotliCompressSync(JSON.stringify(examples), EFFORT))
}

/** Of eleven: more takes seconds of each build for some percent. */
const EFFORT = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/** Forms of rules by weakness that no pack takes. */
async function formFaults(folder: string, packs: readonly Pack[]): Promise<Fault[]> {
  const known = new Set(packs.map(({ id }) => id))
  return [...(await readForms(folder))]
    .filter(([pack]) => !known.has(pack))
    .flatMap(([pack, forms]) => forms.map(({ file }) => ({ message: `${file}: there is no pack ${pack}` })))
}

/** Faults between packs: a rule that exists twice, a mapping to a rule that does not exist. */
function crossFaults(packs: readonly Pack[]): Fault[] {
  const faults: Fault[] = []
  const home = new Map<string, string>()
  for (const pack of packs) {
    for (const { id } of pack.rules) {
      if (home.has(id))
        faults.push({ message: `rule ${id} is in ${home.get(id)} and in ${pack.id}; a rule exists once` })
      home.set(id, pack.id)
    }
  }
  for (const pack of packs) {
    for (const control of pack.controls) {
      for (const id of control.maps.flatMap(map => map.rules)) {
        if (!(findWeaknessRule(id)?.keys ?? [id]).every(key => home.has(key)))
          faults.push({ message: `${pack.id}: control ${control.id} maps rule ${id}, which does not exist` })
      }
    }
  }
  return faults
}
