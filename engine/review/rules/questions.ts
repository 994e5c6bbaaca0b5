import type { ControlRef } from '../../base/records/finding.ts'
import type { LlmRule, PackedRule } from '../../base/records/rule.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import { filterPaths } from '../../base/text/glob.ts'
import type { Config } from '../../sources/config/load.ts'
import { loadPacks } from '../../sources/packs/load.ts'
import { type Selection, selectPacks } from '../../sources/packs/select.ts'

/** A rule that is on, with the files that it asks about. */
export interface Question {
  rule: PackedRule & LlmRule
  controls: ControlRef[]
  files: SourceFile[]
}

/**
 * The rules of the type `llm` that are on at the root or in a folder, sorted by id, each with its files. `listFiles` gives those of the scan, and is
 * called only where there is such a rule.
 */
export async function findQuestions(config: Config, listFiles: () => readonly SourceFile[]): Promise<Question[]> {
  const packs = await loadPacks(config.root)
  if (!packs.some(({ rules }) => rules.some(({ type }) => type === 'llm'))) return []
  const listed = listFiles()
  const languages = new Set(listed.flatMap(({ language }) => (language === null ? [] : [language])))
  const choices = new Map<string, Selection>()
  const select = (choice: Config['packs']): Selection => {
    const key = JSON.stringify(choice)
    const known = choices.get(key) ?? selectPacks(packs, choice, languages)
    choices.set(key, known)
    return known
  }
  const found = new Map<string, Question>()
  for (const { rules, controls } of [config, ...config.folders.values()].map(each => select(each.packs)))
    for (const rule of rules) {
      if (rule.type !== 'llm' || found.has(rule.id)) continue
      const takes = filterPaths(rule)
      const files = listed.filter(
        ({ path, language, in_test }) =>
          !path.startsWith('.svc/') &&
          takes(path) &&
          (rule.languages.includes('any') || (language !== null && rule.languages.includes(language))) &&
          !(in_test && rule.silent_in === 'tests') &&
          select(config.for(path).packs).rules.some(({ id }) => id === rule.id),
      )
      found.set(rule.id, { rule, controls: controls.get(rule.id) ?? [], files })
    }
  return [...found.values()].sort((a, b) => (a.rule.id < b.rule.id ? -1 : 1))
}
