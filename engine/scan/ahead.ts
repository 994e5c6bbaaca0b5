import { loadBuiltinTrie } from '../detect/prefilter/trie-file.ts'
import type { Config } from '../sources/config/load.ts'
import { loadBuiltinPacks } from '../sources/packs/load.ts'
import { selectPacks } from '../sources/packs/select.ts'

/**
 * Loads what the scan will need as soon as the files are listed, to be called while git lists them. What is parsed and
 * loaded is kept where it is made; `languages` are those that the last scan saw, and a guess that is wrong costs nothing but its time.
 */
export function prepareAhead(config: Config, languages: readonly string[], isDry: boolean): void {
  // A failure is told by whoever needs it.
  if (!isDry)
    import('../sources/store/duckdb.ts').then(
      ({ openWriterAhead }) => openWriterAhead(),
      () => {},
    )
  if (languages.length === 0) return
  try {
    const { rules } = selectPacks(loadBuiltinPacks(), config.packs, new Set(languages))
    if (rules.length > 0) loadBuiltinTrie()
  } catch {
    // The repository may have the packs itself that are not among svc's own.
  }
}
