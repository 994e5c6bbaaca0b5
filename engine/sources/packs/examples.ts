import { detectLanguage, isTestPath } from '../../base/languages/languages.ts'
import type { Example } from '../../base/records/rule.ts'
import { scanFile } from '../../detect/file/file-scan.ts'
import { findPathJudge } from '../../detect/file/path-judges.ts'
import { RuleSet } from '../../detect/file/rule-set.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import type { Limits } from '../../detect/rules/file-outcome.ts'
import { registerGrammars } from '../../detect/syntax/grammar.ts'

/** An example that does not hold. */
export interface BrokenExample {
  rule: string
  expected: 'match' | 'clean' | 'corrected_code'
  code: string
  detail: string
}

/** For one rule over one example; examples are a few lines, and the rest of the time is for a machine that stands still. */
const EXAMPLE_LIMITS: Limits = { rule_deadline_ms: 10_000, file_deadline_ms: 100_000, max_parse_bytes: 1 << 20 }

/**
 * The rule's examples that do not hold: a `match` in which it finds nothing, a `clean` or corrected code in which it finds something, or one
 * on which it cannot be evaluated. The one that is not evaluated in time ends the list. A rule with any of them does not load. Those of a question to a model are examples for the model, and
 * nothing here proves them.
 */
export function findBrokenExamples(rule: CompiledRule): BrokenExample[] {
  if (rule.type === 'llm') return []
  registerGrammars()
  const rules = new RuleSet([rule])
  const broken: BrokenExample[] = []
  const corrected = rule.corrected_code?.flatMap(({ languages, code }) =>
    languages.map(language => ({ code, language })),
  )
  for (const [expected, examples] of [
    ['match', rule.match],
    ['clean', rule.clean],
    ['corrected_code', corrected ?? []],
  ] as const) {
    for (const example of examples) {
      const { found, failure } = evaluate(rules, rule, example)
      if (failure) broken.push({ rule: rule.id, expected, code: example.code, detail: failure })
      // Each further one could take as long.
      if (failure === 'timed_out') return broken
      if (failure === undefined && found !== (expected === 'match')) {
        broken.push({
          rule: rule.id,
          expected,
          code: example.code,
          detail: found ? 'the rule fires on it' : 'the rule does not fire on it',
        })
      }
    }
  }
  return broken
}

/** Whether the rule finds something in a text as if that were one of its examples. */
export function firesOn(rule: CompiledRule, example: Example): boolean {
  registerGrammars()
  return evaluate(new RuleSet([rule]), rule, example).found
}

function evaluate(
  rules: RuleSet,
  rule: CompiledRule,
  { code, path, language: told }: Example & { language?: string },
): { found: boolean; failure?: string } {
  const judge = findPathJudge(rule)
  if (judge) return { found: judge.firesOn(rule, path) }
  const language = told ?? (path && detectLanguage(path)) ?? rule.languages.find(name => name !== 'any') ?? 'text'
  const file = {
    path: path ?? 'example',
    language,
    in_test: path !== undefined && isTestPath(path),
    bytes: new TextEncoder().encode(code),
  }
  const { matches, failures, skip } = scanFile(rules, file, EXAMPLE_LIMITS)
  const failure = failures[0]?.detail ?? failures[0]?.reason ?? skip?.detail
  return failure === undefined ? { found: matches.length > 0 } : { found: false, failure }
}
