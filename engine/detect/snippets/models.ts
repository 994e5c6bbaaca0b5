import { readAsset } from '../../base/disk/assets.ts'
import type { SnippetModel } from '../../base/records/snippet-model.ts'

/** The file of the program that says by language what code is taken for; no scan of a repository reads it. */
export const SNIPPETS_FILE = 'snippets.json'

let models: Record<string, SnippetModel> | undefined

/** What code of the language is taken for that lacks its imports or its function; undefined where nothing is known. */
export function findSnippetModel(language: string): SnippetModel | undefined {
  models ??= JSON.parse(readAsset(SNIPPETS_FILE).toString('utf8')) as Record<string, SnippetModel>
  return Object.hasOwn(models, language) ? models[language] : undefined
}
