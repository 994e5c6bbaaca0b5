import { detectLanguage, isTestPath } from '../../../base/languages/languages.ts'
import type { Library, LibraryExample } from '../../../base/records/library.ts'
import type { TaintRule } from '../../../base/records/rule.ts'
import { isBrokenOff } from '../../../base/records/run.ts'
import { formatCount, groupDigits } from '../../../base/text/words.ts'
import { scanFile } from '../../../detect/file/file-scan.ts'
import { RuleSet } from '../../../detect/file/rule-set.ts'
import type { CompiledRule } from '../../../detect/rules/active-rules.ts'
import type { Limits } from '../../../detect/rules/file-outcome.ts'
import { registerGrammars } from '../../../detect/syntax/grammar.ts'
import { MOST_CHARACTERS, MOST_EXAMPLES, type ProofBudget, Unproven } from './proof-budget.ts'
import { takesSinks } from './teach.ts'

/** Runs something with the rules as they are with a library, and without it. */
export interface Taught {
  with: <T>(work: (rules: readonly CompiledRule[]) => T) => T
  without: <T>(work: (rules: readonly CompiledRule[]) => T) => T
}

/**
 * What is wrong with a library, a sentence each. A `match` must be reported and a `clean` must not; of one of them the opposite must hold
 * without the library, else the examples show nothing of it. A sink that no rule reports is a fault too, and so is an example for which the
 * budget does not suffice.
 */
export function proveLibrary(library: Library, taught: Taught, budget: ProofBudget): string[] {
  try {
    return runExamples(library, taught, budget)
  } catch (error) {
    if (!(error instanceof Unproven)) throw error
    return [error.message]
  }
}

function runExamples(library: Library, taught: Taught, budget: ProofBudget): string[] {
  registerGrammars()
  const count = library.match.length + library.clean.length
  if (count > MOST_EXAMPLES)
    return [`it has ${formatCount(count, 'example')}, and at most ${MOST_EXAMPLES} are run: leave some out`]
  const size = [...library.match, ...library.clean].reduce((total, example) => total + asMap(example).code.length, 0)
  if (size > MOST_CHARACTERS)
    return [`its examples have ${groupDigits(size)} characters, and at most ${groupDigits(MOST_CHARACTERS)} are run`]
  const examples = [
    ...library.match.map(example => ({ example, isMatch: true })),
    ...library.clean.map(example => ({ example, isMatch: false })),
  ]
  const report = (rules: readonly CompiledRule[]) => {
    const set = new RuleSet(rules)
    return examples.map(({ example }) => listReporting(set, library, example, budget))
  }
  const problems = taught.with(rules => [...listUnknownSinks(library, rules), ...listUnknownRules(library, rules)])
  if (problems.length > 0) return problems
  const found = taught.with(report)
  examples.forEach(({ example, isMatch }, at) => {
    const { code } = asMap(example)
    if (isMatch && found[at]!.length === 0)
      problems.push(`a match example fails (no rule reports it): ${JSON.stringify(code)}`)
    if (!isMatch && found[at]!.length > 0)
      problems.push(`a clean example fails (${found[at]!.join(', ')} reports it): ${JSON.stringify(code)}`)
  })
  if (problems.length > 0) return problems
  const before = taught.without(report)
  if (!found.some((ids, at) => ids.length > 0 !== before[at]!.length > 0))
    problems.push('its examples have the same results without the library, so they show nothing of it')
  return problems
}

function listUnknownRules({ languages, match, clean }: Library, rules: readonly CompiledRule[]): string[] {
  const ids = new Set(rules.map(({ id }) => id))
  const named = [...match, ...clean].map(example => asMap(example).rule).filter(rule => rule !== undefined)
  return [...new Set(named)]
    .filter(rule => !ids.has(rule))
    .map(rule => `an example names ${rule}, which is no taint rule of ${languages.join(', ')}`)
}

/** Ids of the rules that report an example. */
function listReporting(rules: RuleSet, library: Library, example: LibraryExample, budget: ProofBudget): string[] {
  const { languages } = library
  const { code, path, rule } = asMap(example)
  const file = {
    path: path ?? 'example',
    language: (path === undefined ? undefined : detectLanguage(path)) ?? languages[0]!,
    in_test: path !== undefined && isTestPath(path),
    bytes: new TextEncoder().encode(code),
  }
  const { step_ms } = budget.limits
  const limits: Limits = { rule_deadline_ms: step_ms, file_deadline_ms: step_ms * 5, max_parse_bytes: 1 << 20 }
  const { matches, failures, skip } = budget.run(library.library, () => scanFile(rules, file, limits))
  if (skip || failures.some(({ reason }) => isBrokenOff(reason))) budget.breakOff(library.library, code)
  const ids = [...matches].map(match => rules.rules[match.rule]!.id)
  return [...new Set(ids)].filter(id => rule === undefined || id === rule).sort()
}

function asMap(example: LibraryExample): Exclude<LibraryExample, string> {
  return typeof example === 'string' ? { code: example } : example
}

function listUnknownSinks({ languages, sinks = [] }: Library, rules: readonly CompiledRule[]): string[] {
  const own = rules.filter((rule): rule is TaintRule & CompiledRule => rule.type === 'taint' && takesSinks(rule))
  const classes = new Set(own.filter(rule => rule.languages.some(name => languages.includes(name))).map(r => r.class))
  const unknown = new Set(sinks.map(({ kind }) => kind).filter(kind => !classes.has(kind)))
  return [...unknown].map(
    kind =>
      `no rule of ${languages.join(', ')} reports sinks of the kind ${kind}; known: ${[...classes].sort().join(', ')}`,
  )
}
