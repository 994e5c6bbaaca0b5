import { resolveForm, stripReview } from '../base/records/rule-ids.ts'
import type { Listing } from '../base/records/source-file.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import type { Config } from '../sources/config/load.ts'
import { loadBuiltinPacks, loadPacks } from '../sources/packs/load.ts'
import type { Pack } from '../sources/packs/pack.ts'
import { type Selection, selectPacks } from '../sources/packs/select.ts'
import { addAsked } from './asked-rules.ts'

/** What looks at a repository's files. */
export interface ActiveRules {
  /** Of the listed files. */
  languages: ReadonlySet<string>
  /** Every pack that there is, chosen or not. */
  packs: readonly Pack[]
  /** What is chosen at the root. */
  selection: Selection
  /** The rules that are on anywhere. */
  rules: readonly CompiledRule[]
  /** Whether a rule, or the form that it was merged into, is on for a path. */
  applies: (rule: string, path: string) => boolean
}

/**
 * The rules that the configuration selects for the listed files' languages; the repository's own are those in the folder `from`.
 * `others` are the languages of files that are not listed one by one; with `review`, places to review are looked for. PACK_INVALID where the
 * rules are broken.
 */
export async function selectActiveRules(
  listing: Listing,
  config: Config,
  from: string = listing.root,
  others: Iterable<string> = [],
  review = false,
): Promise<ActiveRules> {
  const languages = new Set(others)
  for (const { language } of listing.files) if (language !== null) languages.add(language)
  // What a notebook is written in is not known before it is read; nearly all are in Python.
  if (languages.has('jupyter')) languages.add('python')
  const packs = await loadPacks(from)
  const selection = selectPacks(packs, config.packs, languages)
  const { rules, applies } = rulesOfFolders(packs, selection, config, languages)
  const asked = { sources: config.analysis.sources, review }
  return {
    ...{ languages, packs, selection },
    rules: addAsked(rules, asked),
    applies: (rule, path) => applies(resolveForm(stripReview(rule)), path),
  }
}

/**
 * Folders may choose packs: every rule that is on anywhere runs, and what it finds where it is off is left out. So is what
 * the repository's own rules find in the files they are written in: every example there is meant to be found.
 */
function rulesOfFolders(packs: readonly Pack[], root: Selection, config: Config, languages: ReadonlySet<string>) {
  const builtIn = new Set(loadBuiltinPacks().map(({ id }) => id))
  const own = new Set(packs.flatMap(pack => (builtIn.has(pack.id) ? [] : pack.rules.map(rule => rule.id))))
  const inOwnFile = (rule: string, path: string) => /^\.svc\/(?:rules|packs|libraries)\//.test(path) && own.has(rule)
  if (config.folders.size === 0)
    return { rules: root.rules, applies: (rule: string, path: string) => !inOwnFile(rule, path) }
  const byChoice = new Map<string, Set<string>>()
  const union = new Map(root.rules.map(rule => [rule.id, rule]))
  const setFor = (choice: typeof config.packs): Set<string> => {
    const key = JSON.stringify(choice)
    let set = byChoice.get(key)
    if (!set) {
      const { rules } = selectPacks(packs, choice, languages)
      set = new Set(rules.map(rule => rule.id))
      // A severity that the root's configuration sets holds for the whole repository.
      for (const rule of rules) if (!union.has(rule.id)) union.set(rule.id, rule)
      byChoice.set(key, set)
    }
    return set
  }
  for (const settings of config.folders.values()) setFor(settings.packs)
  return {
    rules: [...union.values()],
    applies: (rule: string, path: string) => setFor(config.for(path).packs).has(rule) && !inOwnFile(rule, path),
  }
}
