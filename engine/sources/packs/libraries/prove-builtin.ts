import type { Fault } from '../../../base/errors.ts'
import { deriveRequirement } from '../../../detect/file/requirement.ts'
import type { CompiledRule } from '../../../detect/rules/active-rules.ts'
import { installModels } from '../../../detect/taint/models.ts'
import { followsInput } from '../../../detect/taint/runs.ts'
import { compileModels } from './compile.ts'
import { ProofBudget } from './proof-budget.ts'
import { proveLibrary } from './prove.ts'
import { proveSnippets } from './prove-snippets.ts'
import { readLibraries } from './read.ts'

/** What is wrong with the libraries of a directory that come with svc; they are what is installed afterwards. */
export async function proveBuiltin(folder: string, rules: readonly CompiledRule[]): Promise<Fault[]> {
  const files = await readLibraries(folder)
  const all = files.map(({ library }) => library)
  const faults: Fault[] = []
  for (const { file, library } of files) {
    const own = rules.filter(rule => followsInput(rule) && rule.languages.some(l => library.languages.includes(l)))
    const within = <T>(libraries: typeof all, work: (rules: CompiledRule[]) => T): T => {
      installModels(compileModels(libraries))
      // What a rule knows of its languages is kept by the rule, so each model has rules of its own.
      return work(own.map(({ number: _, ...rule }) => ({ ...rule, requirement: deriveRequirement(rule) })))
    }
    const others = all.filter(other => other !== library)
    const taught = {
      with: <T>(work: (rules: readonly CompiledRule[]) => T) => within(all, work),
      without: <T>(work: (rules: readonly CompiledRule[]) => T) => within(others, work),
    }
    const problems = proveLibrary(library, taught, new ProofBudget())
    faults.push(...problems.map(message => ({ message, place: { file } })))
  }
  installModels(compileModels(all))
  return [...faults, ...proveSnippets(files, rules)]
}
