import { detectLanguage, isTestPath } from '../../../base/languages/languages.ts'
import type { Library, LibraryExample } from '../../../base/records/library.ts'
import type { TaintRule } from '../../../base/records/rule.ts'
import { scanFile } from '../../../detect/file/file-scan.ts'
import { RuleSet } from '../../../detect/file/rule-set.ts'
import type { CompiledRule } from '../../../detect/rules/active-rules.ts'
import type { Limits } from '../../../detect/rules/file-outcome.ts'
import { registerGrammars } from '../../../detect/syntax/grammar.ts'
import { takesSinks } from './teach.ts'

/** Examples are a few lines, and the rest of the time is for a machine that stands still. */
const LIMITS: Limits = { rule_deadline_ms: 10_000, file_deadline_ms: 100_000, max_parse_bytes: 1 << 20 }

/** Runs something with the rules as they are with a library, and without it. */
export interface Taught {
  with: <T>(work: (rules: readonly CompiledRule[]) => T) => T
  without: <T>(work: (rules: readonly CompiledRule[]) => T) => T
}

/**
 * What is wrong with a library, a sentence each. A `match` must be reported and a `clean` must not; of one of them the opposite must hold
 * without the library, else the examples show nothing of it. A sink that no rule reports is a fault too.
 */
export function proveLibrary(library: Library, taught: Taught): string[] {
  registerGrammars()
  const examples = [
    ...library.match.map(example => ({ example, isMatch: true })),
    ...library.clean.map(example => ({ example, isMatch: false })),
  ]
  const report = (rules: readonly CompiledRule[]) => {
    const set = new RuleSet(rules)
    return examples.map(({ example }) => listReporting(set, library, example))
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
function listReporting(rules: RuleSet, { languages }: Library, example: LibraryExample): string[] {
  const { code, path, rule } = asMap(example)
  const file = {
    path: path ?? 'example',
    language: (path === undefined ? undefined : detectLanguage(path)) ?? languages[0]!,
    in_test: path !== undefined && isTestPath(path),
    bytes: new TextEncoder().encode(code),
  }
  const { matches } = scanFile(rules, file, LIMITS)
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
