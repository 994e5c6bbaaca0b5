import type { Fault } from '../../../base/errors.ts'
import type { SnippetModel } from '../../../base/records/snippet-model.ts'
import { scanFile } from '../../../detect/file/file-scan.ts'
import { RuleSet } from '../../../detect/file/rule-set.ts'
import type { CompiledRule } from '../../../detect/rules/active-rules.ts'
import { type Completed, completeSnippet } from '../../../detect/snippets/complete.ts'
import { followsInput } from '../../../detect/taint/runs.ts'
import { compileSnippets } from './compile-snippets.ts'
import type { LibraryFile } from './read.ts'

const LIMITS = { rule_deadline_ms: 2_000, file_deadline_ms: 10_000, max_parse_bytes: 1 << 20 }

/** Examples of an entry, and which completion of theirs the entry is for. */
interface Entry {
  match: readonly string[]
  clean: readonly string[]
  pick: (code: string) => Completed | undefined
}

/**
 * What is wrong with what libraries take code for. A `match` has a finding with what it is taken for, and none as it is; a `clean` is taken for
 * the same and has none. Of names of unknown origin, a `clean` may have no such name. Models of the libraries must be installed.
 */
export function proveSnippets(files: readonly LibraryFile[], rules: readonly CompiledRule[]): Fault[] {
  const models = compileSnippets(files.map(({ library }) => library))
  const sets = new Map<string, RuleSet>()
  const setFor = (language: string) => {
    const own = rules.filter(rule => followsInput(rule) && rule.languages.includes(language))
    const set = sets.get(language) ?? new RuleSet(own)
    sets.set(language, set)
    return set
  }
  return files.flatMap(({ file, library: { languages, snippets } }) => {
    if (!snippets) return []
    const language = (snippets.languages ?? languages)[0]!
    const has = (code: string) => {
      const bytes = new TextEncoder().encode(code)
      return scanFile(setFor(language), { path: 'example', language, in_test: false, bytes }, LIMITS).matches.length > 0
    }
    return listEntries(snippets, language, models[language]!)
      .flatMap(entry => proveEntry(entry, has))
      .map(message => ({ message, place: { file } }))
  })
}

function listEntries(
  { names = [], around = [], unknown }: NonNullable<LibraryFile['library']['snippets']>,
  language: string,
  model: SnippetModel,
): Entry[] {
  const complete = (code: string) => completeSnippet(code, language, model)
  const ofNames = names.map(({ match, clean, means }): Entry => {
    const pick = (code: string) => {
      const { assumed } = complete(code)
      return assumed?.assumed.some(each => each.means === means) ? assumed : undefined
    }
    return { match, clean, pick }
  })
  const ofAround = around.map(({ match, clean, means }): Entry => {
    const pick = (code: string) => {
      const { assumed } = complete(code)
      return assumed?.surrounding === means ? assumed : undefined
    }
    return { match, clean, pick }
  })
  const ofUnknown = unknown ? [{ ...unknown, pick: (code: string) => complete(code).unknown }] : []
  return [...ofNames, ...ofAround, ...ofUnknown]
}

function proveEntry({ match, clean, pick }: Entry, has: (code: string) => boolean): string[] {
  const found = (code: string) => {
    const completed = pick(code)
    return completed !== undefined && has(completed.inserted.code)
  }
  return [
    ...match
      .filter(code => has(code) || !found(code))
      .map(
        code => `a match example of snippets fails (it is not found by what it is taken for): ${JSON.stringify(code)}`,
      ),
    ...clean
      .filter(code => found(code))
      .map(code => `a clean example of snippets fails (it is found): ${JSON.stringify(code)}`),
  ]
}
