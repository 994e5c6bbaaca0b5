import type { Config } from '../config/load.ts'
import { loadBuiltinPacks } from '../packs/load.ts'
import { selectPacks } from '../packs/select.ts'
import { builtinTrie } from '../rules/trie-file.ts'

/**
 * Loads what the scan will need as soon as the files are listed, to be called while git lists them. What is parsed and
 * loaded is kept where it is made; `languages` are those that the last scan saw, and a guess that is wrong costs nothing but its time.
 */
export function prepareAhead(config: Config, languages: readonly string[], isDry: boolean): void {
  // A failure is told by whoever needs it.
  if (!isDry) import('../store/duckdb-api.ts').catch(() => {})
  if (languages.length === 0) return
  const { detect } = config.packs
  const { rules } = selectPacks(loadBuiltinPacks(), { detect, enable: [], disable: [] }, new Set(languages))
  if (rules.length > 0) builtinTrie()
}
