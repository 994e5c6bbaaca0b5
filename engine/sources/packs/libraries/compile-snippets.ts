import type { Library } from '../../../base/records/library.ts'
import type { SnippetModel } from '../../../base/records/snippet-model.ts'

/** What code of each language is taken for that lacks its imports or its function; languages of whose libraries none says anything are left out. */
export function compileSnippets(libraries: readonly Library[]): Record<string, SnippetModel> {
  const out: Record<string, SnippetModel> = {}
  for (const { languages, snippets } of libraries) {
    if (!snippets) continue
    for (const language of snippets.languages ?? languages) {
      out[language] ??= { names: [], around: [] }
      const model = out[language]
      for (const { match: _, clean: __, ...entry } of snippets.names ?? []) model.names.push(entry)
      for (const { match: _, clean: __, ...entry } of snippets.around ?? []) model.around.push(entry)
      if (snippets.head !== undefined) model.head = snippets.head
      if (snippets.unknown) {
        const { match: _, clean: __, ...unknown } = snippets.unknown
        model.unknown = unknown
      }
    }
  }
  return out
}
